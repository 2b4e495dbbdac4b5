import { expect } from 'vitest';

/** Matches text that has `part` in it. Typed, unlike vitest's own. */
export function containing(part: string): unknown {
  return expect.stringContaining(part);
}

/** Matches text that fits `pattern`. */
export function matching(pattern: RegExp): unknown {
  return expect.stringMatching(pattern);
}
