/**
 * One action at a time on a node: a listing of GPUs opens every GPU for a moment, and would stand in the way of one that
 * leaves; and the persistence daemon serves all of them.
 */
export class Turns {
  /** Who waits, by node; there while somebody has the turn. */
  readonly #waiting = new Map<string, Set<() => void>>();

  /** Does work when it is its turn on the node. `next` says whether somebody waits behind it. Rejects when `signal` aborts. */
  async take<T>(node: string, signal: AbortSignal, work: (next: () => boolean) => Promise<T>): Promise<T> {
    await this.#turn(node, signal);
    try {
      return await work(() => (this.#waiting.get(node)?.size ?? 0) > 0);
    } finally {
      this.#pass(node);
    }
  }

  async #turn(node: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const waiting = this.#waiting.get(node);
    if (waiting === undefined) {
      this.#waiting.set(node, new Set());
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        waiting.delete(begin);
        reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
      };
      waiting.add(begin);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  #pass(node: string): void {
    const waiting = this.#waiting.get(node) ?? new Set();
    const [next] = waiting;
    if (next === undefined) {
      this.#waiting.delete(node);
      return;
    }
    waiting.delete(next);
    next();
  }
}
