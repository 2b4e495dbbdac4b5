/** Leadership, as long as it lasts. */
export interface Leadership {
  /** Aborts when the lease is lost or released. The process must then do nothing more in the leader's name. */
  readonly signal: AbortSignal;
  /**
   * True while the lease is certainly ours: by the monotonic clock, counted from before our last acknowledged renewal
   * was sent, and with the reserve between `renewDeadlineMs` and `leaseDurationMs`.
   */
  held(): boolean;
  /** Ends the leadership and lets go of the lease, so that the next one need not wait. Call it when all work has ended. */
  release(): Promise<void>;
}
