import type { Clock } from '@cro/clock';

/** How long a shortage is believed without another sign of it. */
const BELIEVED_MS = 60_000;

/**
 * Which machines' fabrics had no device of a model when they were last asked. Learnt from attaches that failed, so that
 * placement needs no call of its own: a new request then goes to a node of another fabric, if there is one.
 */
export class Shortages {
  readonly #clock: Clock;
  readonly #until = new Map<string, number>();
  #lifts = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** An attach of `model` on `machine` found the pool exhausted. */
  note(machine: string, model: string): void {
    this.#until.set(keyOf(machine, model), this.#clock.monotonic() + BELIEVED_MS);
  }

  /** A device of `model` went back to some pool: nothing is certain any more. */
  lift(model: string): void {
    this.#lifts += 1;
    for (const key of this.#until.keys()) if (key.endsWith(`\n${model}`)) this.#until.delete(key);
  }

  /** How often a device went back so far: an attach that began before the last time may have come too early. */
  get lifts(): number {
    return this.#lifts;
  }

  /** What placement should believe. */
  freeOn(machine: string, model: string): 'no' | 'unknown' {
    return (this.#until.get(keyOf(machine, model)) ?? 0) > this.#clock.monotonic() ? 'no' : 'unknown';
  }
}

function keyOf(machine: string, model: string): string {
  return `${machine}\n${model}`;
}
