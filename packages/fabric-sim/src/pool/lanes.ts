/** What becomes of a change on a machine that another change is at work on. */
export type WhenBusy = 'queue' | 'refuse';

/** The changes at work on each machine: one at a time. */
export class Lanes {
  readonly #whenBusy: WhenBusy;
  readonly #tails = new Map<string, Promise<void>>();
  readonly #inFlight = new Map<string, number>();
  readonly #most = new Map<string, number>();

  constructor(whenBusy: WhenBusy) {
    this.#whenBusy = whenBusy;
  }

  /** Runs `work` when the machine is free; `undefined` when it is busy and the lanes refuse. */
  run<T>(machine: string, work: () => Promise<T>): Promise<T> | undefined {
    const leave = () => {
      this.#inFlight.set(machine, (this.#inFlight.get(machine) ?? 1) - 1);
      if (this.#tails.get(machine) === turn) this.#tails.delete(machine);
    };
    const before = this.#inFlight.get(machine) ?? 0;
    this.#most.set(machine, Math.max(this.maxConcurrent(machine), before + 1));
    if (before > 0 && this.#whenBusy === 'refuse') return undefined;
    this.#inFlight.set(machine, before + 1);
    const result = (this.#tails.get(machine) ?? Promise.resolve()).then(work);
    const turn = result.then(leave, leave);
    this.#tails.set(machine, turn);
    return result;
  }

  /** The most changes that were asked of a machine at one time, those that waited or were refused included. */
  maxConcurrent(machine: string): number {
    return this.#most.get(machine) ?? 0;
  }
}
