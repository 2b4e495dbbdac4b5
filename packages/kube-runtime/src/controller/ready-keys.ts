/** How urgent a key is. `low`: everything that is not an answer to a change, such as a first list. */
export type Priority = 'normal' | 'low';

/** So many normal keys may go before a low one that waits; without a bound a busy queue would starve it. */
const NORMALS_PER_LOW = 4;

/** The keys that are ready to run, each once, first come first served within a priority. Values: when they came. */
export class ReadyKeys {
  readonly #normal = new Map<string, number>();
  readonly #low = new Map<string, number>();
  #normalsInARow = 0;

  get size(): number {
    return this.#normal.size + this.#low.size;
  }

  has(key: string): boolean {
    return this.#normal.has(key) || this.#low.has(key);
  }

  /** Adds a key; one that is there stays in its place, but rises from low to normal. False when it was there. */
  add(key: string, priority: Priority, at: number): boolean {
    if (this.#normal.has(key)) return false;
    const since = this.#low.get(key);
    if (priority === 'low') {
      if (since !== undefined) return false;
      this.#low.set(key, at);
      return true;
    }
    this.#low.delete(key);
    this.#normal.set(key, since ?? at);
    return since === undefined;
  }

  /** Takes the next key. */
  take(): { readonly key: string; readonly since: number } | undefined {
    const lowIsDue = this.#low.size > 0 && (this.#normal.size === 0 || this.#normalsInARow >= NORMALS_PER_LOW);
    this.#normalsInARow = lowIsDue ? 0 : this.#normalsInARow + 1;
    const keys = lowIsDue ? this.#low : this.#normal;
    for (const [key, since] of keys) {
      keys.delete(key);
      return { key, since };
    }
    return undefined;
  }
}
