/** Longest wait that a server may ask for, in milliseconds. */
const LONGEST_MS = 3_600_000;

/** Milliseconds of a `Retry-After` header: seconds, or a date that is compared with `now`. Nonsense is no wish at all. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), LONGEST_MS);
}
