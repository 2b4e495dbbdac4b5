import type { Parsed } from './variable.ts';

const INVALID = { tag: 'invalid' } as const;

/** One of some words, as they are written. */
export function oneOf<T extends string>(...words: readonly T[]): (text: string) => Parsed<T> {
  return (text) => {
    const value = words.find((word) => word === text);
    return value === undefined ? INVALID : { tag: 'ok', value };
  };
}

/** A whole number of seconds between bounds, both included. */
export const seconds = wholeNumber;

/** A whole number between bounds, both included. */
export function wholeNumber(least: number, most: number): (text: string) => Parsed<number> {
  return (text) => {
    const value = Number(text);
    const fits = /^\d+$/.test(text) && value >= least && value <= most;
    return fits ? { tag: 'ok', value } : INVALID;
  };
}

/** Text of a fixed form. */
export function matching(pattern: RegExp): (text: string) => Parsed<string> {
  return (text) => (pattern.test(text) ? { tag: 'ok', value: text } : INVALID);
}

/** `host[:port][/]`: the authority of an https URL and nothing else. Answers it without the slash. */
export function authority(text: string): Parsed<string> {
  const bare = text.endsWith('/') ? text.slice(0, -1) : text;
  // The form is checked before the URL parser sees it: that one drops tabs and reads `\` as `/`.
  if (!/^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(:\d{1,5})?$/.test(bare)) return INVALID;
  return URL.canParse(`https://${bare}`) ? { tag: 'ok', value: bare } : INVALID;
}

/** Off only by the word `false`, as in the Go operator. */
export function unlessFalse(text: string): Parsed<boolean> {
  return { tag: 'ok', value: text !== 'false' };
}

/** Texts of a fixed form with commas between them. */
export function list(pattern: RegExp): (text: string) => Parsed<readonly string[]> {
  return (text) => {
    const value = text.split(',').map((item) => item.trim());
    return value.every((item) => pattern.test(item)) ? { tag: 'ok', value } : INVALID;
  };
}

/** `driver/attribute`: the name of a DRA driver, and of an attribute of its devices, which may have a domain of its own. */
export function memoryAttribute(text: string): Parsed<{ readonly driver: string; readonly attribute: string }> {
  const domain = '[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?';
  const match = new RegExp(`^(${domain})/((?:${domain}/)?[A-Za-z_][A-Za-z0-9_]{0,31})$`).exec(text);
  const [, driver, attribute] = match ?? [];
  return driver === undefined || attribute === undefined ? INVALID : { tag: 'ok', value: { driver, attribute } };
}
