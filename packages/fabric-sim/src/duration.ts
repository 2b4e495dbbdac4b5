/** How long something takes: milliseconds, or a range from which each one is drawn. */
export type Duration = number | { readonly fromMs: number; readonly toMs: number };

/** Draws durations, one at each call. */
export function drawer(duration: Duration = 0, random: () => number): () => number {
  if (typeof duration === 'number') return () => duration;
  return () => duration.fromMs + random() * (duration.toMs - duration.fromMs);
}
