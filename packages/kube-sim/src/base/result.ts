import type { JsonObject } from './json.ts';

/** A refusal, with what the Status object of the answer says. */
export interface Failure {
  readonly ok: false;
  /** HTTP status. */
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: JsonObject;
  /** What the Status object's metadata says: the token to go on with an expired list. */
  readonly metadata?: JsonObject;
  readonly retryAfterSeconds?: number;
  /** What a webhook has said beside its refusal. */
  readonly warnings?: readonly string[];
}

/** Something that came out right. */
export interface Success<T> {
  readonly ok: true;
  readonly value: T;
}

/** An expected failure is a value here, never a throw. */
export type Result<T> = Success<T> | Failure;

/** Wraps a value. */
export function success<T>(value: T): Success<T> {
  return { ok: true, value };
}
