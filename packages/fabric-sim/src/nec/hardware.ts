import type { Pool } from '../pool/pool.ts';
import type { Marks } from './marks.ts';

/** What hw-control says to a change. `code` begins with `E`; its second letter tells whether trying again may help. */
export type HardwareAnswer =
  | { readonly tag: 'done' }
  | { readonly tag: 'refused'; readonly statusCode: number; readonly code: string; readonly message: string };

/** The hardware itself: what is plugged into what, and what has power. */
export class Hardware {
  readonly #pool: Pool;
  readonly #marks: Marks;
  readonly #off = new Set<string>();

  constructor(pool: Pool, marks: Marks) {
    this.#pool = pool;
    this.#marks = marks;
    // hw-control switches a device off when it takes it off its machine.
    for (const { resUuid } of pool.devices()) if (pool.placement(resUuid).tag === 'free') this.#off.add(resUuid);
  }

  /** `On` or `Off`. */
  powerState(id: string): 'On' | 'Off' {
    return this.#off.has(id) ? 'Off' : 'On';
  }

  /** Switches a device. */
  setPower(id: string, power: 'On' | 'Off'): void {
    if (power === 'On') this.#off.delete(id);
    else this.#off.add(id);
  }

  /** What speaks against a change; nothing is changed. */
  check(operation: 'connect' | 'disconnect', machine: string | undefined, device: string): HardwareAnswer {
    if (machine === undefined || this.#pool.machine(machine) === undefined)
      return refused(404, 'EF013BAS000', 'no CPU');
    if (this.#pool.device(device) === undefined) return refused(404, 'EF013BAS003', 'no device');
    if (this.#marks.builtInto(device) !== undefined) return refused(400, 'EF003BAS010', 'the device is not removable');
    const placement = this.#pool.placement(device);
    const fits =
      operation === 'connect'
        ? placement.tag === 'free'
        : placement.tag === 'attached' && placement.machine === machine;
    return fits ? { tag: 'done' } : refused(409, 'EF011BAS000', 'conflicting');
  }

  /** Plugs a device in, or out, at once. */
  change(operation: 'connect' | 'disconnect', machine: string | undefined, device: string): HardwareAnswer {
    const answer = this.check(operation, machine, device);
    if (answer.tag === 'refused') return answer;
    this.setPower(device, operation === 'connect' ? 'On' : 'Off');
    this.#pool.move(device, operation === 'connect' ? machine : undefined);
    return answer;
  }
}

function refused(statusCode: number, code: string, message: string): HardwareAnswer {
  return { tag: 'refused', statusCode, code, message };
}
