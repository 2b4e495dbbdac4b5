/** Those who wait for their turn: first come, first served. Who gives up leaves no trace. */
export class WaitingLine {
  readonly #waiting = new Set<() => void>();

  /** How many wait. */
  get length(): number {
    return this.#waiting.size;
  }

  /** Waits to be called. `left`: the signal aborted before that. */
  join(signal?: AbortSignal): Promise<'called' | 'left'> {
    return new Promise((resolve) => {
      const end = (how: 'called' | 'left') => {
        this.#waiting.delete(called);
        signal?.removeEventListener('abort', left);
        resolve(how);
      };
      const called = () => {
        end('called');
      };
      const left = () => {
        end('left');
      };
      this.#waiting.add(called);
      signal?.addEventListener('abort', left, { once: true });
      if (signal?.aborted === true) left();
    });
  }

  /** Calls the one who came first. False when nobody waits. */
  callNext(): boolean {
    const [first] = this.#waiting;
    first?.();
    return first !== undefined;
  }
}
