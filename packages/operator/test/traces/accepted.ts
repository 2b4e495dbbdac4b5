/** A decision that this release makes otherwise than the one that recorded it, on purpose. */
export interface AcceptedDifference {
  /** The release that recorded the trace. */
  readonly release: string;
  /** The row that decided then. */
  readonly row: string;
  /** Why it is otherwise now, and why that is safe for objects of that release. */
  readonly reason: string;
}

/** Every such difference. A trace file itself is never edited. */
export const accepted: readonly AcceptedDifference[] = [];
