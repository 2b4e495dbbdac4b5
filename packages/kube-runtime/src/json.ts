/** A JSON object whose fields have not been looked at yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for a JSON object: not null, not a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The field as an object; an empty one when it is absent or something else. */
export function objectField(value: unknown, name: string): JsonObject {
  const field = isObject(value) ? value[name] : undefined;
  return isObject(field) ? field : {};
}

/** The field as text; `undefined` when it is absent or something else. */
export function textField(value: unknown, name: string): string | undefined {
  const field = isObject(value) ? value[name] : undefined;
  return typeof field === 'string' ? field : undefined;
}

/** The field as a number; `undefined` when it is absent or something else. */
export function numberField(value: unknown, name: string): number | undefined {
  const field = isObject(value) ? value[name] : undefined;
  return typeof field === 'number' ? field : undefined;
}

/** Parses JSON text. A text that is no JSON is an expected failure at an edge, so it is a value here. */
export function parseJson(
  text: string,
): { readonly tag: 'ok'; readonly value: unknown } | { readonly tag: 'malformed'; readonly message: string } {
  try {
    const value: unknown = JSON.parse(text);
    return { tag: 'ok', value };
  } catch (error) {
    return { tag: 'malformed', message: messageOf(error) };
  }
}

/** What an error says, with the cause beneath it where that says more. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  return cause instanceof Error && !message.includes(cause.message) ? `${message}: ${cause.message}` : message;
}
