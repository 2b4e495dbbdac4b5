import type { Cancel, Clock } from '@cro/clock';

/** At most one timer per key; of two the earlier stays. */
export class Timers {
  readonly #clock: Clock;
  readonly #onDue: (key: string) => void;
  readonly #timers = new Map<string, { readonly due: number; readonly cancel: Cancel }>();

  constructor(clock: Clock, onDue: (key: string) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  get size(): number {
    return this.#timers.size;
  }

  /** Fires in `afterMs`, or earlier when a timer of this key is due earlier. */
  set(key: string, afterMs: number): void {
    const due = this.#clock.monotonic() + afterMs;
    const present = this.#timers.get(key);
    if (present !== undefined && present.due <= due) return;
    present?.cancel();
    const cancel = this.#clock.after(afterMs, () => {
      this.#timers.delete(key);
      this.#onDue(key);
    });
    this.#timers.set(key, { due, cancel });
  }

  clear(key: string): void {
    this.#timers.get(key)?.cancel();
    this.#timers.delete(key);
  }

  clearAll(): void {
    for (const key of [...this.#timers.keys()]) this.clear(key);
  }
}
