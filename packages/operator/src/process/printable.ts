// C0, DEL and C1, and the two Unicode line ends: whatever could end a line or steer a terminal.
const UNPRINTABLE = /[\p{Cc}\u2028\u2029]/gu;

/** The text with every character that could break a line or steer a terminal written as `\uXXXX`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
