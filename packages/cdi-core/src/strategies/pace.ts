import type { Clock } from '@cro/clock';

/** Between two looks at something that moves, in milliseconds: what a fabric can always bear. */
const STEADY_MS = 1_000;
/** How long something is looked at each second although it does not move, in milliseconds: longer than fabrics take. */
const PATIENCE_MS = 600_000;
/** Beyond that, a look comes no later than this part of the time for which nothing has moved. */
const PART = 60;
/** The longest wait, in milliseconds. */
const LONGEST_MS = 30_000;
/** The longest wait that a fabric may wish for, in milliseconds. */
const LONGEST_WISH_MS = 60_000;

/** Most things that are remembered. One that was given up elsewhere leaves its time behind. */
const MOST = 10_000;

interface Watched {
  readonly beganMs: number;
  readonly movedMs: number;
  readonly sign: string | undefined;
}

/**
 * How often to look at something that takes its time: each second while it moves and for ten minutes after, then less and less
 * often, down to once in 30 s. So its end is noticed within a second, unless it has stood still for longer than fabrics take. The
 * times count from the first look of this process. Why: docs/decisions/pace.md.
 */
export class Pace {
  readonly #clock: Clock;
  readonly #watched = new Map<string, Watched>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds since `key` was first asked for. */
  elapsedMs(key: string): number {
    return this.#clock.monotonic() - this.#watch(key).beganMs;
  }

  /** Notes what `key` looks like: it moves when that is not what it looked like before. */
  saw(key: string, sign: string): void {
    const watched = this.#watch(key);
    if (watched.sign === sign) return;
    this.#watched.set(key, { ...watched, sign, movedMs: this.#clock.monotonic() });
  }

  /** Milliseconds until the next look at `key`. `wishMs`: what the fabric asks for, if it does; a minute of it at most. */
  waitMs(key: string, wishMs = 0): number {
    const stillMs = this.#clock.monotonic() - this.#watch(key).movedMs;
    const ownMs = stillMs < PATIENCE_MS ? STEADY_MS : Math.min(LONGEST_MS, Math.round(stillMs / PART));
    return Math.max(ownMs, Math.min(wishMs, LONGEST_WISH_MS));
  }

  /** It is over. */
  end(key: string): void {
    this.#watched.delete(key);
  }

  #watch(key: string): Watched {
    const known = this.#watched.get(key);
    if (known !== undefined) return known;
    const now = this.#clock.monotonic();
    const fresh = { beganMs: now, movedMs: now, sign: undefined };
    this.#watched.set(key, fresh);
    if (this.#watched.size > MOST) this.#forgetOldest();
    return fresh;
  }

  #forgetOldest(): void {
    const [oldest] = this.#watched.keys();
    if (oldest !== undefined) this.#watched.delete(oldest);
  }
}
