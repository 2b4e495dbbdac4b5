// C0, DEL and C1, and the two Unicode line ends: whatever could end a line or steer a terminal.
// eslint-disable-next-line no-control-regex -- control characters are what it is about
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** The text with every character that could break a line or steer a terminal written as `\uXXXX`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
