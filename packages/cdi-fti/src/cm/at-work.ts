import type { Pace } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';
import type { CmDevice, CmRead, CmSpec } from './machine.ts';

/** Tells whether somebody's resize of a machine is under way, in which case none must be added to it. */
export class AtWork {
  readonly #pace: Pick<Pace, 'elapsedMs' | 'end'>;
  readonly #settleMs: number;

  constructor(pace: Pick<Pace, 'elapsedMs' | 'end'>, settleMs: number) {
    this.#pace = pace;
    this.#settleMs = settleMs;
  }

  /**
   * What CM is at work on. A device whose status is not known counts for its own spec. So does a count above what is listed: a
   * resize that was accepted and not begun; but only for the settle window, as CM may have given that device up.
   */
  on(machine: string, read: CmRead, spec: CmSpec): Failure | undefined {
    const moving = read.specs.flatMap(({ devices }) => devices).find(isMoving);
    const odd = spec.devices.find(({ stage }) => stage === 'unclear');
    const device = moving ?? odd;
    if (device !== undefined) {
      const { type, deviceId, cdiDeviceId, status } = device;
      const name = `${type} '${deviceId ?? cdiDeviceId}'`;
      return busy(
        `CM has not done with ${name} of machine '${machine}', whose status is '${status}': waiting for that`,
      );
    }
    const key = `${machine} ${spec.specUuid}`;
    if (spec.count <= spec.devices.length) this.#pace.end(key);
    else if (this.#pace.elapsedMs(key) < this.#settleMs) {
      return busy(
        `machine '${machine}' shall have ${spec.count} devices of model ${spec.model}, and CM lists ${spec.devices.length}: waiting for the rest`,
      );
    }
    return undefined;
  }
}

function isMoving({ stage }: CmDevice): boolean {
  return stage === 'coming' || stage === 'leaving';
}

function busy(message: string): Failure {
  return { kind: 'Busy', message };
}
