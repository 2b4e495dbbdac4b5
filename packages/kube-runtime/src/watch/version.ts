const DECIMAL = /^[1-9][0-9]*$/;

/**
 * Compares two resourceVersions of one kind: below 0 when `a` is older. They are decimal numbers without leading zeros
 * and may be compared (KEP-5504). `undefined` when one of them is something else: nothing is known then.
 */
export function compareVersions(a: string, b: string): number | undefined {
  if (a === b) return 0;
  if (!DECIMAL.test(a) || !DECIMAL.test(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}

/** True when `a` is certainly older than `b`. */
export function isOlder(a: string, b: string): boolean {
  return (compareVersions(a, b) ?? 0) < 0;
}
