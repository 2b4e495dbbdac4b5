import type { CallKind } from './call.ts';

/** How a call ended: with an answer, with a closed connection, or with a client that did not wait for the answer. */
export type CallEnd =
  | { readonly tag: 'open' }
  | { readonly tag: 'answered'; readonly status: number }
  | { readonly tag: 'lost' }
  | { readonly tag: 'hungUp' };

/** A call that the simulator got. Times are on the clock's monotonic scale, in milliseconds. */
export interface CallRecord {
  readonly kind: CallKind;
  readonly method: string;
  readonly path: string;
  readonly machine: string | undefined;
  readonly startedMs: number;
  readonly endedMs: number | undefined;
  readonly end: CallEnd;
}

/** Counts of calls by kind. */
export type CallCounts = Readonly<Record<CallKind, number>>;

/** How many records are kept: the last ones. Counts go on. */
const KEPT = 10_000;

/** What was asked of the simulator. */
export class CallLog {
  readonly #monotonic: () => number;
  readonly #records: { -readonly [K in keyof CallRecord]: CallRecord[K] }[] = [];
  readonly #counts: Record<CallKind, number> = {
    token: 0,
    get: 0,
    list: 0,
    inventory: 0,
    attach: 0,
    detach: 0,
    poll: 0,
    steer: 0,
    other: 0,
  };

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Notes a call. The result notes its end; only the first end counts. */
  begin(call: Pick<CallRecord, 'kind' | 'method' | 'path' | 'machine'>): (end: CallEnd) => void {
    this.#counts[call.kind] += 1;
    const record: { -readonly [K in keyof CallRecord]: CallRecord[K] } = {
      ...call,
      startedMs: this.#monotonic(),
      endedMs: undefined,
      end: { tag: 'open' },
    };
    this.#records.push(record);
    if (this.#records.length > KEPT * 2) this.#records.splice(0, KEPT);
    return (end) => {
      if (record.end.tag !== 'open') return;
      record.end = end;
      record.endedMs = this.#monotonic();
    };
  }

  /** How many calls of each kind came in so far. */
  counts(): CallCounts {
    return { ...this.#counts };
  }

  /** The last calls, oldest first, at most 10,000. */
  records(): readonly CallRecord[] {
    return this.#records.slice(-KEPT).map((record) => ({ ...record }));
  }
}
