import type { Device } from '../pool/device.ts';
import type { Pool } from '../pool/pool.ts';
import type { Spec } from './specs.ts';

/**
 * CM's words for where a device stands. `ADD_COMPLETE`, `ADD_FAILED` and `REMOVE_FAILED` are recorded; the two in progress are
 * made after their pattern, as nobody has written them down.
 */
export type CmStatus = 'ADDING' | 'ADD_COMPLETE' | 'ADD_FAILED' | 'REMOVING' | 'REMOVE_FAILED';

/** A device of a machine, as CM sees it. */
export interface CmDevice {
  readonly device: Device;
  readonly status: CmStatus;
  readonly reason: string;
}

interface Mark {
  readonly machine: string;
  readonly status: Exclude<CmStatus, 'ADD_COMPLETE'>;
  readonly reason: string;
  /** False: accepted, in the count, and not in the list yet. */
  readonly listed: boolean;
}

/** What CM is doing to devices, or failed to do. What is attached and has no mark is `ADD_COMPLETE`. */
export class CmBook {
  readonly #pool: Pool;
  readonly #marks = new Map<string, Mark>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Notes where a device stands. */
  mark(resUuid: string, mark: Pick<Mark, 'machine' | 'status'> & Partial<Mark>): void {
    this.#marks.set(resUuid, { reason: '', listed: true, ...mark });
  }

  /** Nothing more is to be said of a device. */
  clear(resUuid: string): void {
    this.#marks.delete(resUuid);
  }

  /** The devices of a spec that a machine lists: those that are there, then those on their way, each in order of arrival. */
  devices(machine: string, spec: Spec): readonly CmDevice[] {
    const there = this.#pool
      .attachedTo(machine)
      .filter((device) => isOf(spec, device))
      .map((device): CmDevice => {
        const mark = this.#marks.get(device.resUuid);
        const leaves = mark?.machine === machine && (mark.status === 'REMOVING' || mark.status === 'REMOVE_FAILED');
        if (!leaves) return { device, status: 'ADD_COMPLETE', reason: '' };
        return { device, status: mark.status, reason: mark.reason };
      });
    const coming = this.#coming(machine, spec).flatMap(({ device, mark }) =>
      mark.listed ? [{ device, status: mark.status, reason: mark.reason }] : [],
    );
    return [...there, ...coming];
  }

  /** `device_count`: what is listed, and what is accepted and not listed yet. */
  count(machine: string, spec: Spec): number {
    const unlisted = this.#coming(machine, spec).filter(({ mark }) => !mark.listed).length;
    return this.devices(machine, spec).length + unlisted;
  }

  #coming(machine: string, spec: Spec): readonly { readonly device: Device; readonly mark: Mark }[] {
    return [...this.#marks].flatMap(([resUuid, mark]) => {
      const device = this.#pool.device(resUuid);
      if (device === undefined || mark.machine !== machine || !isOf(spec, device)) return [];
      return this.#pool.placement(resUuid).tag === 'reserved' ? [{ device, mark }] : [];
    });
  }
}

function isOf({ type, model }: Spec, device: Device): boolean {
  return device.type === type && device.model === model;
}
