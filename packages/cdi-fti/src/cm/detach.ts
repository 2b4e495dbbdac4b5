import {
  isFabricId,
  Pace,
  type CallContext,
  type ChangeFabric,
  type GoalLook,
  type JsonClient,
  type OperationTarget,
  type ProviderHost,
  type Submitted,
} from '@cro/cdi-core';
import { decoderOf, type Failure } from '@cro/crd-types';
import { Type, type Static } from 'typebox';
import { badMachine } from '../bad-machine.ts';
import { refusedOrInDoubt } from '../certainty.ts';
import { AtWork } from './at-work.ts';
import { scaleDown, type CmPlace } from './calls.ts';
import { wordsOf } from './failures.ts';
import { findDevice, noSpecs, type Found } from './find-device.ts';
import { type CmDevice, type CmRead, type CmSpec } from './machine.ts';
import { readMachine } from './read.ts';

const DOWN = wordsOf('CM scaledown', 'CM scaledown response body');

const Notes = Type.Object({
  specUuid: Type.String({ minLength: 1 }),
  /** What a resize names the device by. */
  deviceId: Type.String({ minLength: 1 }),
  /** How many are left. */
  left: Type.Integer({ minimum: 0 }),
  /** The others of the machine: they have to stay. */
  others: Type.Array(Type.String()),
  /** Whether CM had failed to remove it before. */
  failedBefore: Type.Boolean(),
});
type Notes = Static<typeof Notes>;

/** One device less by a resize, which names the device and says how many are left. */
export function detaching(
  host: Pick<ProviderHost, 'clock'>,
  client: JsonClient,
  place: CmPlace,
  settleMs: number,
): ChangeFabric<Notes> {
  const atWork = new AtWork(new Pace(host.clock), settleMs);
  const read = (machine: string, context: CallContext) => readMachine(client, place, machine, context);
  return {
    decodeNotes: decoderOf(Notes),
    // What CM shows is what it has done.
    lagMs: 0,
    async find({ machine, device: wanted }, context) {
      const found = await findDevice(read, machine, wanted, context);
      if (found.tag !== 'device') return found;
      const failure = atWork.on(machine, found.read, found.spec);
      if (failure !== undefined) return { tag: 'failed', failure };
      return { tag: 'found', subject: { cdiDeviceId: found.device.cdiDeviceId, notes: notesOf(found) } };
    },
    async submit({ machine, notes }, context): Promise<Submitted> {
      if (!isFabricId(machine)) return { tag: 'refused', failure: badMachine };
      const { specUuid, left, deviceId } = notes;
      const answer = await client.call(scaleDown(place, machine, specUuid, left, deviceId), context);
      return answer.tag === 'ok' ? { tag: 'accepted' } : refusedOrInDoubt(DOWN, answer);
    },
    async look(target, context) {
      const now = await read(target.machine, context);
      return now.tag === 'failed' ? now : lookAt(target, now);
    },
  };
}

function notesOf({ read, spec, device }: Extract<Found, { tag: 'device' }>): Notes {
  const { cdiDeviceId, deviceId, stage } = device;
  const others = read.devices.map((other) => other.cdiDeviceId).filter((id) => id !== cdiDeviceId);
  return {
    specUuid: spec.specUuid,
    deviceId: deviceId ?? cdiDeviceId,
    left: countWithout(spec, device),
    others,
    failedBefore: stage === 'removeFailed',
  };
}

/** A device whose add failed may not be in the count: then taking it away leaves the count as it is. */
function countWithout({ count, devices }: CmSpec, { stage }: CmDevice): number {
  const isCounted = stage !== 'addFailed' || count >= devices.length;
  return Math.max(0, isCounted ? count - 1 : count);
}

function lookAt({ machine, cdiDeviceId, notes }: OperationTarget<Notes>, read: CmRead): GoalLook {
  if (read.specs.length === 0) return { tag: 'failed', failure: noSpecs(machine) };
  const all = read.specs.flatMap(({ devices }) => devices);
  const device = all.find((one) => one.cdiDeviceId === cdiDeviceId);
  if (device === undefined || device.stage === 'gone') return { tag: 'reached' };
  if (device.stage === 'leaving') return { tag: 'working' };
  const lost = notes.others.find((id) => !all.some((one) => one.cdiDeviceId === id));
  if (lost !== undefined) return { tag: 'failed', failure: wrongOne(machine, lost, cdiDeviceId) };
  if (device.stage !== 'removeFailed') return { tag: 'notReached' };
  const failure: Failure = {
    kind: 'Unreachable',
    message: `CM failed to remove ${device.type} '${notes.deviceId}': '${device.reason}'`,
  };
  // The word may be that of an earlier attempt, until CM begins with this one.
  return notes.failedBefore ? { tag: 'notReached', failure } : { tag: 'refused', failure };
}

/** Nothing more is asked of this machine: a second resize might take yet another device from somebody. */
function wrongOne(machine: string, lost: string, kept: string): Failure {
  const message = `CM took device '${lost}' away from machine '${machine}' instead of '${kept}': remove '${kept}' in CM by hand, and give its owner another '${lost}'`;
  return { kind: 'Blocked', message };
}
