/** True for a JSON object: neither null nor an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Longest JSON text that a message quotes: messages end up in logs and in `status.error`. */
const LONGEST_QUOTE = 80;

/** A value as a message quotes it: short values as JSON, large ones by their kind. */
export function quote(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  if (text.length <= LONGEST_QUOTE) return text;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === 'string' ? `a string of ${value.length} characters` : 'an object';
}
