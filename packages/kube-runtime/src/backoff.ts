const FIRST_MS = 800;
const LONGEST_MS = 30_000;

/** The delay after `failures` failures in a row: 0.8 s, doubling to 30 s, from half of that on by jitter (`random` in [0, 1)). */
export function backoffMs(failures: number, random: number, first = FIRST_MS, longest = LONGEST_MS): number {
  const full = Math.min(longest, first * 2 ** Math.min(failures, 30));
  return Math.round((full * (1 + random)) / 2);
}
