const FIRST_MS = 200;
const LONGEST_MS = 5_000;

/** Wait before try number `attempt` (from 1) is repeated: 200 ms doubled each time up to 5 s, and between half and all of it. */
export function backoffMs(attempt: number, random: () => number): number {
  const full = Math.min(FIRST_MS * 2 ** (attempt - 1), LONGEST_MS);
  return Math.round(full * (0.5 + random() / 2));
}
