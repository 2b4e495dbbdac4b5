import { reasonOf } from '@cro/clock';

interface Waiter {
  readonly holder: string;
  readonly admit: () => void;
}

interface Lane {
  holder: string;
  readonly waiting: Waiter[];
}

/**
 * What mutating calls exclude each other on: one holder a lane, the others in the order of their coming. A lane is held
 * from before a ticket is saved until its outcome is, across restarts: whoever starts takes over the lanes of open
 * tickets first.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  readonly #laneOf = new Map<string, string>();

  /** Resolves when `holder` has the lane; at once when it has it already. Rejects with the signal's reason. */
  async acquire(name: string, holder: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#laneOf.get(holder) === name) return;
    const lane = this.#lanes.get(name);
    if (lane === undefined) {
      this.#give(name, holder);
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        lane.waiting.splice(lane.waiting.indexOf(waiter), 1);
        reject(reasonOf(signal));
      };
      const admit = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const waiter: Waiter = { holder, admit };
      signal.addEventListener('abort', leave, { once: true });
      lane.waiting.push(waiter);
    });
  }

  /** Takes over a lane for an open ticket that was found. Two tickets on one lane cannot be; the first one stays. */
  adopt(name: string, holder: string): void {
    if (!this.#lanes.has(name) && !this.#laneOf.has(holder)) this.#give(name, holder);
  }

  /** Lets the next one in. Harmless for one that holds nothing. */
  release(holder: string): void {
    const name = this.#laneOf.get(holder);
    const lane = name === undefined ? undefined : this.#lanes.get(name);
    if (name === undefined || lane === undefined) return;
    this.#laneOf.delete(holder);
    const next = lane.waiting.shift();
    if (next === undefined) {
      this.#lanes.delete(name);
      return;
    }
    lane.holder = next.holder;
    this.#laneOf.set(next.holder, name);
    next.admit();
  }

  /** Whether `holder` has a lane. */
  holds(holder: string): boolean {
    return this.#laneOf.has(holder);
  }

  #give(name: string, holder: string): void {
    this.#lanes.set(name, { holder, waiting: [] });
    this.#laneOf.set(holder, name);
  }
}
