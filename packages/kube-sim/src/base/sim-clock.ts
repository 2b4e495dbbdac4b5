/** Time, passed in, so that a server can run on a clock that a test moves. */
export interface SimClock {
  /** The wall clock, in milliseconds since 1970. */
  now(): number;
  /** Milliseconds that only grow. */
  monotonic(): number;
  /** Calls `callback` once after `delayMs`; the result cancels the call. */
  after(delayMs: number, callback: () => void): () => void;
}

/** A time in Kubernetes' form: RFC 3339, whole seconds, UTC. */
export function timestamp(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/** A time with microseconds, as leases and events have it. */
export function microTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 23)}000Z`;
}
