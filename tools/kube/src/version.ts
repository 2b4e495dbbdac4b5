/** A released version of Kubernetes. */
export interface Version {
  /** `1.34.4`. */
  readonly text: string;
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** The versions on which the project is proven; the first is the default. */
export const PROVEN = ['1.34.4', '1.37.2'] as const;

const RELEASED = /^v?(\d{1,3})\.(\d{1,3})\.(\d{1,4})$/;

/** Reads `1.34.4` or `v1.34.4`; nothing when it is no released version. */
export function parseVersion(text: string): Version | undefined {
  const match = RELEASED.exec(text);
  if (match === null) return undefined;
  const [major, minor, patch] = match.slice(1).map(Number);
  if (major === undefined || minor === undefined || patch === undefined) return undefined;
  return { text: `${major}.${minor}.${patch}`, major, minor, patch };
}
