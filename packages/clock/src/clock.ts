/**
 * Time, passed in. Nothing in this project reads a clock or sets a timer of its own, so that a whole operator can run
 * on a virtual clock and a run can be repeated from a seed.
 */
export interface Clock {
  /** The wall clock, in milliseconds since 1970-01-01T00:00:00Z. It may jump; use it only for times that people read. */
  now(): number;
  /** Milliseconds that only ever grow, from an arbitrary origin. Use it to measure how long something took. */
  monotonic(): number;
  /** Calls `callback` once, `delayMs` milliseconds from now. The result cancels the call; cancelling twice is harmless. */
  after(delayMs: number, callback: () => void): Cancel;
}

/** Takes back a scheduled call. */
export type Cancel = () => void;
