import type { Device, Machine } from '../pool/device.ts';
import type { Pool } from '../pool/pool.ts';

/** What CoHDI's mock has given out. A device that is on a machine and was not given out is free for that machine. */
export class HandedOut {
  readonly #pool: Pool;
  readonly #devices = new Set<string>();
  /** Machines that were given something: from others the mock takes nothing away. */
  readonly #machines = new Set<string>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** How many devices of a model a machine can be given. */
  countFree(machine: Machine, model: string): number {
    return this.#standing(machine, model).length + this.#pool.countFree(machine, model);
  }

  /** Gives a machine so many devices, those that are on it first; `undefined`: there are not as many. */
  take(machine: Machine, model: string, count: number): readonly Device[] | undefined {
    const standing = this.#standing(machine, model).slice(0, count);
    const more = count - standing.length;
    const fresh = more === 0 ? [] : this.#pool.reserve(machine, [{ type: 'gpu', model, count: more }]);
    if (fresh === undefined) return undefined;
    for (const { resUuid } of fresh) this.#pool.move(resUuid, machine.machUuid);
    const taken = [...standing, ...fresh];
    for (const { resUuid } of taken) this.#devices.add(resUuid);
    this.#machines.add(machine.machUuid);
    return taken;
  }

  /** Takes one device off a machine, or all of them where none is named. */
  giveBack(machine: Machine, named: string | undefined): void {
    if (!this.#machines.has(machine.machUuid)) return;
    for (const { resUuid } of this.#pool.attachedTo(machine.machUuid)) {
      if (named !== undefined && named !== resUuid) continue;
      this.#devices.delete(resUuid);
      this.#pool.move(resUuid, undefined);
    }
  }

  #standing(machine: Machine, model: string): readonly Device[] {
    const here = this.#pool.attachedTo(machine.machUuid);
    return here.filter((device) => device.model === model && !this.#devices.has(device.resUuid));
  }
}
