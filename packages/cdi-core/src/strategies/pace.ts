import type { Clock } from '@cro/clock';

/** The shortest wait between two looks at one thing, in milliseconds: what a fabric can always bear. */
const SHORTEST_MS = 1_000;
const LONGEST_MS = 10_000;
/** A look comes no later than this part of the time that the thing has taken already. */
const PART = 60;

/** Most things that are remembered. One that was given up elsewhere leaves its time behind. */
const MOST = 10_000;

/**
 * How often to look at something that takes its time: each second for the first minute, then less and less often, so that
 * its end is noticed within a second, or within a sixtieth of the time that it took, or within 10 s. The times count from the first
 * look of this process.
 */
export class Pace {
  readonly #clock: Clock;
  readonly #began = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds since `key` was first asked for. */
  elapsedMs(key: string): number {
    const now = this.#clock.monotonic();
    const began = this.#began.get(key) ?? now;
    this.#began.set(key, began);
    if (this.#began.size > MOST) this.#forgetOldest();
    return now - began;
  }

  /** Milliseconds until the next look at `key`. */
  waitMs(key: string): number {
    return Math.round(Math.min(LONGEST_MS, Math.max(SHORTEST_MS, this.elapsedMs(key) / PART)));
  }

  /** It is over. */
  end(key: string): void {
    this.#began.delete(key);
  }

  #forgetOldest(): void {
    const [oldest] = this.#began.keys();
    if (oldest !== undefined) this.#began.delete(oldest);
  }
}
