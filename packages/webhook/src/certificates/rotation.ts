import type { RotationPolicy } from './policy.ts';

/** What the rotation needs to know of an authority. Times are in milliseconds since 1970. */
export interface AuthorityFacts {
  /** SHA-256 of its certificate. */
  readonly fingerprint: string;
  readonly notAfter: number;
}

/** What the rotation needs to know of the serving certificate. */
export interface ServingFacts {
  /** Fingerprint of the authority that signed it. */
  readonly issuer: string;
  readonly notBefore: number;
  readonly notAfter: number;
  /** True when it is good for every name that the API server may use. */
  readonly coversNames: boolean;
}

/** The Secret that all replicas share. */
export type SecretFacts =
  | { readonly tag: 'missing' }
  /** It is there, and cannot be used. `problem` says why, without anything secret. */
  | { readonly tag: 'malformed'; readonly problem: string }
  /** `authorities`: newest first, never empty; the newest signs. */
  | {
      readonly tag: 'present';
      readonly newest: AuthorityFacts;
      readonly older: readonly AuthorityFacts[];
      readonly serving: ServingFacts;
    };

/** The ValidatingWebhookConfiguration. */
export type ConfigurationFacts =
  { readonly tag: 'missing' } | { readonly tag: 'present'; readonly trusted: readonly TrustedFacts[] };

/** An authority in the caBundle. */
export interface TrustedFacts {
  readonly fingerprint: string;
  /** For how long this process has seen it there, in milliseconds of the monotonic clock. */
  readonly forMs: number;
}

/** Everything that the rotation decides on. */
export interface RotationState {
  readonly secret: SecretFacts;
  readonly configuration: ConfigurationFacts;
}

/** The next thing to do; each is one write. */
export type RotationAction =
  /** Make an authority and a serving certificate, and store them as a new Secret. */
  | { readonly tag: 'create' }
  /** The same, over what the Secret holds. */
  | { readonly tag: 'reset'; readonly problem: string }
  /** Store one more authority, which signs from now on; the serving certificate stays. */
  | { readonly tag: 'addAuthority' }
  /** Write the Secret's authorities into the configuration. */
  | { readonly tag: 'inject' }
  /** Store a serving certificate of the newest authority. */
  | { readonly tag: 'issueServing' }
  /** Drop the authorities with these fingerprints from the Secret. */
  | { readonly tag: 'retire'; readonly fingerprints: readonly string[] }
  /** Nothing to do; look again after so many milliseconds, or when something changes. */
  | { readonly tag: 'wait'; readonly forMs: number };

/** Looked at again at least this often: the wall clock may jump. */
const LONGEST_WAIT_MS = 3_600_000;

/**
 * Decides what to do next. The order is what makes a rotation safe: an authority is stored, then trusted by the
 * configuration, then used; and it leaves in the opposite order. `now` is in milliseconds since 1970.
 */
export function decideRotation(state: RotationState, policy: RotationPolicy, now: number): RotationAction {
  const { secret, configuration } = state;
  if (secret.tag === 'missing') return { tag: 'create' };
  if (secret.tag === 'malformed') return { tag: 'reset', problem: secret.problem };
  const { newest, older, serving } = secret;
  if (newest.notAfter - now <= policy.authorityRenewMs) return { tag: 'addAuthority' };
  if (configuration.tag === 'missing') return { tag: 'wait', forMs: LONGEST_WAIT_MS };
  if (!sameSet(configuration.trusted, [newest, ...older])) return { tag: 'inject' };
  if (mustIssue(secret, policy, now)) {
    const forMs = untilPropagated(configuration.trusted, newest.fingerprint, policy);
    return forMs > 0 ? { tag: 'wait', forMs } : { tag: 'issueServing' };
  }
  const spareAt = serving.notBefore + policy.backdateMs + policy.retireMs;
  const spare = older.filter(({ notAfter }) => now >= spareAt || notAfter <= now);
  if (spare.length > 0) return { tag: 'retire', fingerprints: spare.map(({ fingerprint }) => fingerprint) };
  const moments = [
    newest.notAfter - policy.authorityRenewMs,
    serving.notAfter - policy.servingRenewMs,
    ...older.map(({ notAfter }) => Math.min(spareAt, notAfter)),
  ];
  return { tag: 'wait', forMs: Math.min(LONGEST_WAIT_MS, ...moments.map((moment) => moment - now)) };
}

/** A serving certificate, as far as the choice between two goes. */
export interface ServedFacts {
  readonly fingerprint: string;
  /** Fingerprint of the authority that signed it. */
  readonly issuer: string;
  readonly notAfter: number;
}

/**
 * When to switch from the certificate that is served to the one in the Secret, in milliseconds from now: once every API
 * server can know that its authority is trusted, or at once where nothing better is served. Infinity: not before
 * something changes, or at all.
 */
export function switchAfter(
  served: ServedFacts | undefined,
  stored: ServedFacts,
  trusted: readonly TrustedFacts[],
  policy: RotationPolicy,
  now: number,
): number {
  if (served === undefined) return 0;
  if (served.fingerprint === stored.fingerprint) return Infinity;
  return Math.max(0, Math.min(untilPropagated(trusted, stored.issuer, policy), served.notAfter - now));
}

function untilPropagated(trusted: readonly TrustedFacts[], fingerprint: string, policy: RotationPolicy): number {
  const found = trusted.find((authority) => authority.fingerprint === fingerprint);
  return found === undefined ? Infinity : Math.max(0, policy.propagationMs - found.forMs);
}

function mustIssue(
  { newest, serving }: Extract<SecretFacts, { tag: 'present' }>,
  policy: RotationPolicy,
  now: number,
): boolean {
  return (
    serving.issuer !== newest.fingerprint || !serving.coversNames || serving.notAfter - now <= policy.servingRenewMs
  );
}

function sameSet(trusted: readonly TrustedFacts[], authorities: readonly AuthorityFacts[]): boolean {
  const wanted = new Set(authorities.map(({ fingerprint }) => fingerprint));
  const found = new Set(trusted.map(({ fingerprint }) => fingerprint));
  return wanted.size === found.size && [...wanted].every((fingerprint) => found.has(fingerprint));
}
