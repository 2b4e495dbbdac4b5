import type { Cancel, Clock } from './clock.ts';

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

/**
 * A clock that stands still until it is told to move. Between two timers it lets every pending promise settle, so that
 * code under test sees the same order of events in every run.
 */
export class VirtualClock implements Clock {
  #elapsed = 0;
  #order = 0;
  readonly #epoch: number;
  readonly #timers = new Set<Timer>();

  /** `epochMs` is the wall clock at the start, in milliseconds since 1970. */
  constructor(epochMs: number = Date.UTC(2026, 0, 1)) {
    this.#epoch = epochMs;
  }

  now(): number {
    return this.#epoch + this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  after(delayMs: number, callback: () => void): Cancel {
    this.#order += 1;
    const timer = { due: this.#elapsed + Math.max(0, delayMs), order: this.#order, callback };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** How many timers are waiting. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Moves time forward by `ms`, firing each timer at its moment and letting promises settle in between. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    await settle();
    for (let next = this.#next(); next !== undefined && next.due <= end; next = this.#next()) {
      await this.#fire(next);
    }
    this.#elapsed = end;
  }

  /**
   * Moves from timer to timer until `condition` holds. Answers false when `limitMs` of virtual time went by, or when
   * nothing is left that could ever happen.
   */
  async runUntil(condition: () => boolean, limitMs: number): Promise<boolean> {
    const end = this.#elapsed + limitMs;
    await settle();
    while (!condition()) {
      const next = this.#next();
      if (next === undefined || next.due > end) return false;
      await this.#fire(next);
    }
    return true;
  }

  async #fire(timer: Timer): Promise<void> {
    this.#timers.delete(timer);
    this.#elapsed = Math.max(this.#elapsed, timer.due);
    timer.callback();
    await settle();
  }

  #next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (first === undefined || timer.due < first.due || (timer.due === first.due && timer.order < first.order)) {
        first = timer;
      }
    }
    return first;
  }
}

/** Lets all pending microtasks run: a macrotask starts only when none is left. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
