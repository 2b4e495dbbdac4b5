const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long certificates live and when they are replaced, in milliseconds. */
export interface RotationPolicy {
  readonly authorityLifetimeMs: number;
  /** A new authority is made when the newest has less than this left. More than a serving certificate lives. */
  readonly authorityRenewMs: number;
  readonly servingLifetimeMs: number;
  /** A new serving certificate is made when it has less than this left. */
  readonly servingRenewMs: number;
  /** Every API server knows an injected authority by then; only then is a certificate of it served. */
  readonly propagationMs: number;
  /** Every replica serves a new certificate by then; only then is the authority of the old one dropped. */
  readonly retireMs: number;
  /** Certificates begin to be valid this much before they are made: the API server's clock may be behind. */
  readonly backdateMs: number;
}

/** An authority lives a year, a serving certificate 90 days. */
export const DEFAULT_POLICY: RotationPolicy = {
  authorityLifetimeMs: 365 * DAY,
  authorityRenewMs: 120 * DAY,
  servingLifetimeMs: 90 * DAY,
  servingRenewMs: 30 * DAY,
  propagationMs: 10 * SECOND,
  retireMs: HOUR,
  backdateMs: HOUR,
};
