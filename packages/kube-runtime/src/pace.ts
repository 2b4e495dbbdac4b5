import { delay, type Clock } from '@cro/clock';

/** Longest piece of work between two turns of the event loop. Far below 50 ms, the stall that probes and leases notice. */
const SLICE_MS = 5;

/** Breaks long synchronous work into slices: call `pause` often, and await what it returns when it returns something. */
export class Pacer {
  readonly #clock: Clock;
  #sliceEnd: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sliceEnd = clock.monotonic() + SLICE_MS;
  }

  /** `undefined` while the slice lasts: most calls cost no promise. */
  pause(): Promise<void> | undefined {
    return this.#clock.monotonic() < this.#sliceEnd ? undefined : this.#yield();
  }

  async #yield(): Promise<void> {
    await delay(this.#clock, 0);
    this.#sliceEnd = this.#clock.monotonic() + SLICE_MS;
  }
}
