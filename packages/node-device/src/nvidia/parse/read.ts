import { cleanText } from '@cro/cdi-core';

/** A text that was understood, or why it was not. */
export type Read<T> = { readonly tag: 'ok'; readonly value: T } | { readonly tag: 'wrong'; readonly message: string };

/** Longest part of a foreign line in a message. */
const LONGEST_LINE = 120;

/** It was understood. */
export function ok<T>(value: T): Read<T> {
  return { tag: 'ok', value };
}

/** It was not: names the line, as far as it can be shown. */
export function wrong(
  what: string,
  line: string,
  accepted: string,
): { readonly tag: 'wrong'; readonly message: string } {
  return { tag: 'wrong', message: `${what}: "${cleanText(line, LONGEST_LINE)}" was found; accepted is ${accepted}` };
}

/** What all of them say, or the first that was not understood: what comes after that is not looked at, however much it is. */
export function readAll<From, T>(items: readonly From[], read: (item: From) => Read<T>): Read<readonly T[]> {
  const values: T[] = [];
  for (const item of items) {
    const one = read(item);
    if (one.tag === 'wrong') return one;
    values.push(one.value);
  }
  return ok(values);
}

/** The lines of a text, without those that are blank. */
export function linesOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.replace(/\r$/, '')]));
}
