import { clearTimeout, setTimeout } from 'node:timers';

/** Where a request is held: on its way there, or its answer on its way back. */
export type Side = 'before' | 'after';

/** A moment on an operator's way: the `nth` request of this kind, counted from 1 and from when it was asked for. */
export interface Moment {
  readonly label: string;
  readonly nth: number;
  readonly side: Side;
}

/** A request that stands still. */
export interface Held {
  /** It goes on, whether or not the one that sent it is still there. */
  release(): void;
  /** It never arrives, nor does its answer. */
  drop(): void;
}

/** The connection of a request that was dropped. */
export class Dropped extends Error {
  override readonly name = 'Dropped';
}

interface Waiting extends Moment {
  seen: number;
  readonly caught: (held: Held) => void;
}

/** Stands between one operator and its outside: notes each request, and holds the one that is asked for. */
export class Gate {
  /** What came to the gate, in order. */
  readonly seen: string[] = [];
  /** What was answered with an error, in order: `429 PATCH composableresources/status`. */
  readonly refused: string[] = [];
  /** Which requests are answered with 429, as by a server that has too much to do. */
  turnsAway: (label: string) => boolean = () => false;
  readonly #listeners = new Set<() => void>();
  #waiting: Waiting | undefined;

  /** Resolves when a request has been caught at that moment. One moment at a time. */
  hold(moment: Moment, withinMs: number): Promise<Held> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting = undefined;
        reject(new Error(`not within ${withinMs} ms: ${describe(moment)}; seen: ${this.seen.slice(-30).join(', ')}`));
      }, withinMs);
      const caught = (held: Held) => {
        clearTimeout(timer);
        this.#waiting = undefined;
        resolve(held);
      };
      this.#waiting = { ...moment, seen: 0, caught };
    });
  }

  /** Calls `listener` for each request that comes, and each error. The result ends that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Lets a request through: `send` is called unless it is dropped before, and told on which side it is held, if it is. */
  async pass<T>(label: string, send: (held: Side | undefined) => Promise<T>): Promise<T> {
    this.seen.push(label);
    for (const listener of [...this.#listeners]) listener();
    const moment = this.#count(label);
    if (moment?.side === 'before') await caughtBy(moment);
    const answer = await send(moment?.side);
    if (moment?.side === 'after') await caughtBy(moment);
    return answer;
  }

  /** Notes how a request was answered. */
  answered(label: string, status: number): void {
    if (status < 400) return;
    this.refused.push(`${status} ${label}`);
    for (const listener of [...this.#listeners]) listener();
  }

  #count(label: string): Waiting | undefined {
    const moment = this.#waiting;
    if (moment?.label !== label) return undefined;
    moment.seen += 1;
    return moment.seen === moment.nth ? moment : undefined;
  }
}

function caughtBy({ caught }: Waiting): Promise<void> {
  return new Promise((resolve, reject) => {
    caught({
      release: resolve,
      drop: () => {
        reject(new Dropped('this request was dropped'));
      },
    });
  });
}

/** A moment in words. */
export function describe({ label, nth, side }: Moment): string {
  return `${side} ${label}${nth === 1 ? '' : ` no. ${nth}`}`;
}
