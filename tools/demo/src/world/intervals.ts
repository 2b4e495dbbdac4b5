/** A stretch of time, in milliseconds on one clock. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** How much of `within` is covered by at least one of the intervals: work that overlaps counts once. */
export function covered(intervals: readonly Interval[], within: Interval): number {
  const clipped = intervals
    .map(({ from, to }) => ({ from: Math.max(from, within.from), to: Math.min(to, within.to) }))
    .filter(({ from, to }) => to > from)
    .sort((a, b) => a.from - b.from);
  let total = 0;
  let reached = -Infinity;
  for (const { from, to } of clipped) {
    total += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return total;
}
