/** Control characters, format characters (bidirectional overrides, zero widths), lone surrogates, line separators. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu;

/** RFC 3339 times: a fabric that puts one into its texts would make each error new, and each new error is a write. */
const TIME = /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?/g;

/** Longest foreign text in a message, in characters. */
const LONGEST = 256;

/**
 * Makes a foreign text safe to put into a log line, a status or an event: one line, printable, of bounded length, and
 * stable (times are replaced by `<time>`).
 */
export function cleanText(text: string, maxLength: number = LONGEST): string {
  // Cut before the work too: the text may be megabytes.
  const head = text.slice(0, maxLength * 4);
  const characters = [...head.replace(UNPRINTABLE, ' ').replace(TIME, '<time>').trim()];
  if (characters.length <= maxLength) return characters.join('');
  return `${characters.slice(0, maxLength - 1).join('')}…`;
}
