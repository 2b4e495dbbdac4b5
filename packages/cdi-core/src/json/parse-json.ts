/** A parsed JSON text, or why it is none. */
export type ParsedJson =
  { readonly tag: 'ok'; readonly value: unknown } | { readonly tag: 'malformed'; readonly problem: string };

/** Parses JSON. The problem names the first character that cannot be, and quotes nothing of the text: it may hold a secret. */
export function parseJson(text: string): ParsedJson {
  try {
    const value: unknown = JSON.parse(text);
    return { tag: 'ok', value };
  } catch {
    return { tag: 'malformed', problem: problemOf(text) };
  }
}

/** In the words of Go's parser, which users of the Go operator search their logs for. */
function problemOf(text: string): string {
  const first = [...text.trimStart().slice(0, 2)][0];
  if (first === undefined) return 'unexpected end of JSON input';
  if (/[\x20-\x7e]/.test(first) && !/[{["\d\-tfn]/.test(first)) {
    return `invalid character '${first}' looking for beginning of value`;
  }
  return 'it is not JSON';
}
