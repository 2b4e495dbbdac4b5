/**
 * One action at a time on a node: a listing of GPUs opens every GPU for a moment, and would stand in the way of one that
 * leaves; and the persistence daemon serves all of them.
 */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /** Does work when it is its turn on the node. `next` says whether somebody waits behind it. Rejects when `signal` aborts. */
  async take<T>(node: string, signal: AbortSignal, work: (next: () => boolean) => Promise<T>): Promise<T> {
    const before = this.#last.get(node) ?? Promise.resolve();
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const mine = before.then(() => ended);
    this.#last.set(node, mine);
    try {
      await reached(before, signal);
      return await work(() => this.#last.get(node) !== mine);
    } finally {
      end();
      if (this.#last.get(node) === mine) this.#last.delete(node);
    }
  }
}

function reached(turn: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = () => {
      reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    void turn.then(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
  });
}
