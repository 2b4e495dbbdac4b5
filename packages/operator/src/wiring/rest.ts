import type { Clock } from '@cro/clock';

/** What can end while others wait for the end of all. */
export interface Work {
  /** Whether nothing runs and everything that ended has been saved. */
  readonly isOver: () => boolean;
}

/** Lets an orderly stop wait for the last piece of work, without asking again and again. */
export class Rest {
  readonly #clock: Clock;
  #look: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether somebody waits for the end: nothing new is begun. */
  get awaited(): boolean {
    return this.#look !== undefined;
  }

  /** A piece of work ended. Whether it was the last is looked at once its caller has taken note of its end. */
  ended(): void {
    if (this.#look !== undefined) this.#clock.after(0, this.#look);
  }

  /** Resolves when the work is over, or after `limitMs`. */
  async reached({ isOver }: Work, limitMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(limitMs, resolve);
      const look = () => {
        if (!isOver()) return;
        cancel();
        resolve();
      };
      this.#look = look;
      look();
    });
  }
}
