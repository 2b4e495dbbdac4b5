import { messageOf } from '../json.ts';
import type { Log } from '../log.ts';

/** Calls listeners in the order in which they came. One that throws is reported, and holds up no other. */
export class Listeners<E> {
  readonly #log: Log;
  readonly #name: string;
  readonly #all = new Set<(event: E) => void>();

  constructor(log: Log, name: string) {
    this.#log = log;
    this.#name = name;
  }

  add(listener: (event: E) => void): () => void {
    // Its own function, so that adding the same listener twice makes two.
    const own = (event: E) => {
      listener(event);
    };
    this.#all.add(own);
    return () => {
      this.#all.delete(own);
    };
  }

  call(event: E): void {
    for (const listener of this.#all) {
      try {
        listener(event);
      } catch (error) {
        this.#log.error('a listener failed', { of: this.#name, error: messageOf(error) });
      }
    }
  }
}
