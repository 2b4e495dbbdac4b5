import { Type, type Static } from 'typebox';

/**
 * Why something did not work, in the words that conditions, events and metrics use. The kind says whether and when to try again.
 *
 * - `Rejected`: the request itself is wrong; nothing changes until its spec or the configuration does.
 * - `Exhausted`: the pool has no such device free; wait for one.
 * - `Busy`: the fabric is at work on something else; wait a little.
 * - `Blocked`: the fabric is stuck until a person acts.
 * - `Conflict`: somebody else has the device or the name; touch nothing.
 * - `Unauthenticated`: the credentials were refused.
 * - `Unreachable`: no answer, or an answer of a broken server; try again.
 * - `Protocol`: an answer that does not match the wire format; the message names the path.
 * - `InDoubt`: a change was asked for and nobody knows yet whether it happened.
 */
export const FailureKind = Type.Union([
  Type.Literal('Rejected'),
  Type.Literal('Exhausted'),
  Type.Literal('Busy'),
  Type.Literal('Blocked'),
  Type.Literal('Conflict'),
  Type.Literal('Unauthenticated'),
  Type.Literal('Unreachable'),
  Type.Literal('Protocol'),
  Type.Literal('InDoubt'),
]);
/** One of the nine kinds of failure. */
export type FailureKind = Static<typeof FailureKind>;

/** An expected failure, returned and never thrown. */
export interface Failure {
  readonly kind: FailureKind;
  /** What happened and what to do, for a person. Stable: no times, no request ids, no secrets. */
  readonly message: string;
  /** The fabric's own wish when to be asked again, in milliseconds. */
  readonly retryAfterMs?: number;
}
