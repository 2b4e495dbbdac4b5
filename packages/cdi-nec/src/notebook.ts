import type { Clock } from '@cro/clock';

interface Note<T> {
  readonly value: T;
  readonly untilMs: number;
}

/**
 * What this process learnt of devices and configuration-manager does not show yet. Notes fade after the time by which it
 * shows them; all of them may be lost: then a device is told as missing, or refused once more, for a while.
 */
export class Notebook {
  readonly #clock: Clock;
  readonly #lagMs: number;
  readonly #refused = new Map<string, Note<true>>();
  readonly #moved = new Map<string, Note<string | undefined>>();
  readonly #resumed = new Map<string, number>();

  constructor(clock: Clock, lagMs: number) {
    this.#clock = clock;
    this.#lagMs = lagMs;
  }

  /** The hardware refused to connect this device. */
  refuse(device: string): void {
    this.#refused.set(device, this.#note(true));
  }

  /** Whether the hardware refused it lately. */
  isRefused(device: string): boolean {
    return this.#fresh(this.#refused, device) !== undefined;
  }

  /** The device is on this machine now, or on none. */
  move(device: string, machine: string | undefined): void {
    this.#moved.set(device, this.#note(machine));
  }

  /** Where the device was brought lately; `undefined`: nothing is noted. */
  movedTo(device: string): { readonly machine: string | undefined } | undefined {
    const note = this.#fresh(this.#moved, device);
    return note === undefined ? undefined : { machine: note.value };
  }

  /** The device is shown where it was brought. */
  isShown(device: string): void {
    this.#moved.delete(device);
  }

  /** Counts how often this process has gone on with an apply. */
  resume(apply: string): number {
    const count = (this.#resumed.get(apply) ?? 0) + 1;
    this.#resumed.set(apply, count);
    return count;
  }

  /** The apply is over. */
  forgetApply(apply: string): void {
    this.#resumed.delete(apply);
  }

  #note<T>(value: T): Note<T> {
    return { value, untilMs: this.#clock.monotonic() + this.#lagMs };
  }

  #fresh<T>(notes: Map<string, Note<T>>, key: string): Note<T> | undefined {
    const note = notes.get(key);
    if (note === undefined || note.untilMs > this.#clock.monotonic()) return note;
    notes.delete(key);
    return undefined;
  }
}
