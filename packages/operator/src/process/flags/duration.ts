const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A duration in Go's notation with one unit, such as `15s` or `500ms`, in milliseconds; `undefined` when it is none. */
export function parseDuration(text: string): number | undefined {
  const [, number, unit = ''] = /^(\d{1,6})(ms|s|m|h)$/.exec(text) ?? [];
  const unitMs = UNITS_MS[unit];
  return unitMs === undefined ? undefined : Number(number) * unitMs;
}
