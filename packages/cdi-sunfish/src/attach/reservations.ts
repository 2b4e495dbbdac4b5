import type { AttachRequest } from '@cro/cdi-core';
import type { Clock } from '@cro/clock';
import type { Failure } from '@cro/crd-types';

/** How long a choice is kept for its ticket to be saved, in milliseconds: from then on the ticket itself shows it. */
const CHOSEN_MS = 60_000;
/** How long a device that was refused for a machine is not offered to it again. */
const REFUSED_MS = 60_000;

interface Choice {
  readonly claims: readonly string[];
  readonly atMs: number;
}

/**
 * What this process has chosen and not yet seen saved, and what was refused lately. Machines are changed side by side, and two
 * of them must not choose one device.
 */
export class Reservations {
  readonly #clock: Clock;
  readonly #chosen = new Map<string, Choice>();
  readonly #refused = new Map<string, { readonly failure: Failure; readonly atMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes what was chosen for a resource, in place of what was chosen for it before. */
  choose(holder: string, ...claims: readonly string[]): void {
    this.#chosen.set(holder, { claims, atMs: this.#clock.monotonic() });
  }

  /** Everything that is taken for other resources: what their tickets and they themselves claim, and what was chosen just now. */
  takenFrom({ holder, claimed }: Pick<AttachRequest, 'holder' | 'claimed'>): ReadonlySet<string> {
    const now = this.#clock.monotonic();
    const taken = new Set(claimed);
    for (const [other, { claims, atMs }] of this.#chosen) {
      if (now - atMs >= CHOSEN_MS) this.#chosen.delete(other);
      else if (other !== holder) for (const claim of claims) taken.add(claim);
    }
    return taken;
  }

  /** Notes that a machine cannot have a device now. */
  refuse(machine: string, device: string, failure: Failure): void {
    this.#refused.set(keyOf(machine, device), { failure, atMs: this.#clock.monotonic() });
  }

  /** Why a machine could not have a device lately. */
  refusal(machine: string, device: string): Failure | undefined {
    const refused = this.#refused.get(keyOf(machine, device));
    if (refused === undefined) return undefined;
    if (this.#clock.monotonic() - refused.atMs < REFUSED_MS) return refused.failure;
    this.#refused.delete(keyOf(machine, device));
    return undefined;
  }
}

function keyOf(machine: string, device: string): string {
  return `${machine}/${device}`;
}
