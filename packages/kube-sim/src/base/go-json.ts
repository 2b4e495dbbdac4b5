import { goTypeName, type JsonValue } from './json.ts';

/** What Go's decoder says of `text`, which is no JSON. */
export function goSyntaxError(text: string): string {
  const position = errorPosition(text);
  const found = position === undefined ? undefined : text[position];
  if (found === undefined) return 'unexpected end of JSON input';
  return `invalid character '${found}' looking for beginning of value`;
}

/** What Go's decoder says of a value that does not fit the Go type `expected`. */
export function goTypeError(value: JsonValue, expected: string): string {
  return `json: cannot unmarshal ${goTypeName(value)} into Go value of type ${expected}`;
}

/** What Go's decoder says of a field that does not fit its Go type; `field` is the struct's name and the path in it. */
export function goFieldError(value: JsonValue, field: string, expected: string): string {
  return `json: cannot unmarshal ${goTypeName(value)} into Go struct field ${field} of type ${expected}`;
}

/** Where the text stops being JSON; undefined at its end. */
function errorPosition(text: string): number | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const told = error instanceof Error ? / at position (\d+)/u.exec(error.message)?.[1] : undefined;
    return told === undefined ? undefined : Number(told);
  }
}
