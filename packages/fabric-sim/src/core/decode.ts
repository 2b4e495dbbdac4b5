/** Takes the percent signs out of a part of a path; `undefined` when they are not well formed. */
export function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Parses JSON; tells why when it is none. */
export function parseJson(
  text: string,
): { readonly tag: 'value'; readonly value: unknown } | { readonly tag: 'failed'; readonly reason: string } {
  try {
    return { tag: 'value', value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return { tag: 'failed', reason: error.message };
    throw error;
  }
}
