import { reasonOf } from '@cro/clock';

/** What is done once in a place for several: they are those who have asked by the time that `close` is called. */
export type Joint<A, T> = (place: string, close: () => readonly A[], signal: AbortSignal) => Promise<T>;

interface Round<A, T> {
  readonly asked: A[];
  readonly result: Promise<T>;
  /** Ends what is done for nobody any more. */
  readonly abort: AbortController;
  waiting: number;
}

/**
 * Work that is done once for all who ask for it in a place before it closes: the work itself knows until when what it finds out is for
 * them too. Who asks later asks for the next one.
 */
export class JointWork<A, T> {
  /** Those that others can still join, by place. */
  readonly #rounds = new Map<string, Round<A, T>>();
  readonly #work: Joint<A, T>;

  constructor(work: Joint<A, T>) {
    this.#work = work;
  }

  /** Asks for the work in one place. Rejects with the signal's reason when it aborts, and with the work's own fault. */
  ask(place: string, about: A, signal: AbortSignal): Promise<T> {
    if (signal.aborted) return Promise.reject(reasonOf(signal));
    const round = this.#rounds.get(place) ?? this.#open(place);
    round.asked.push(about);
    round.waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(reasonOf(signal));
        round.waiting -= 1;
        if (round.waiting > 0) return;
        this.#close(place, round);
        round.abort.abort(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      const stay = () => {
        signal.removeEventListener('abort', leave);
      };
      round.result.finally(stay).then(resolve, reject);
    });
  }

  #open(place: string): Round<A, T> {
    const abort = new AbortController();
    const asked: A[] = [];
    const close = () => {
      this.#close(place, round);
      return asked;
    };
    // Begins after the caller's turn, so that whoever opened it is among those who asked.
    const result = Promise.resolve()
      .then(() => this.#work(place, close, abort.signal))
      .finally(() => {
        this.#close(place, round);
      });
    const round: Round<A, T> = { asked, result, abort, waiting: 0 };
    this.#rounds.set(place, round);
    return round;
  }

  #close(place: string, round: Round<A, T>): void {
    if (this.#rounds.get(place) === round) this.#rounds.delete(place);
  }
}
