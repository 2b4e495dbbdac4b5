import type { Clock } from '@cro/clock';

/** A map that keeps the entries used last, up to a number and an age. */
export class RecentMap<V> {
  readonly #clock: Clock;
  readonly #capacity: number;
  readonly #maxAgeMs: number;
  readonly #entries = new Map<string, { readonly value: V; readonly at: number }>();

  constructor(clock: Clock, capacity: number, maxAgeMs: number) {
    this.#clock = clock;
    this.#capacity = capacity;
    this.#maxAgeMs = maxAgeMs;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (this.#clock.monotonic() - entry.at < this.#maxAgeMs) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: V): void {
    // A Map keeps the order of insertion: taken out and put in again, the entry is the newest.
    this.#entries.delete(key);
    this.#entries.set(key, { value, at: this.#clock.monotonic() });
    if (this.#entries.size <= this.#capacity) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }
}
