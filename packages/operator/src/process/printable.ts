// C0, DEL and C1, the two Unicode line ends, and what changes the direction of a text or cannot be seen: whatever could end a line, steer a
// terminal, or show another text than is there.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/** The text with every character that could break a line, steer a terminal or mislead its reader written as `\uXXXX`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => character.replaceAll(/[^]/g, escaped));
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
