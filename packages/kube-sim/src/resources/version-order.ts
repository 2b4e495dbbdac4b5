const PATTERN = /^v(\d+)(?:(alpha|beta)(\d+))?$/u;

/** Kubernetes' order of API versions: v2, v1, v1beta2, v1beta1, v1alpha1, then all others by name. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [rank(left), rank(right)];
  if (a === undefined || b === undefined)
    return Number(a === undefined) - Number(b === undefined) || compareText(left, right);
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? 0;
    if (value !== other) return other - value;
  }
  return 0;
}

function rank(version: string): readonly number[] | undefined {
  const match = PATTERN.exec(version);
  if (match === null) return undefined;
  const stability = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0;
  return [stability, Number(match[1]), Number(match[3] ?? 0)];
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}
