const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;

/** Delay before the next try, in milliseconds: 1 s, doubled with each failure in a row up to 1 min, a quarter either way. */
export function backoffMs(tries: number, random: () => number, atLeastMs = 0): number {
  const base = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(tries, 10));
  return Math.max(atLeastMs, base * (0.75 + random() / 2));
}
