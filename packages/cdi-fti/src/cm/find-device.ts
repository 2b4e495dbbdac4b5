import type { CallContext, DetachRequest, Failed } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';
import type { CmDevice, CmRead, CmSpec } from './machine.ts';

/** A device of a machine, in the spec that lists it. */
export type Found =
  | { readonly tag: 'device'; readonly read: CmRead; readonly spec: CmSpec; readonly device: CmDevice }
  | { readonly tag: 'gone' }
  | Failed;

/** Reads a machine. */
type Read = (machine: string, context: CallContext) => Promise<CmRead | Failed>;

/** Finds the device that is to leave, in whatever spec it is listed. CM cannot say where else it is. It looks twice. */
export async function findDevice(
  read: Read,
  machine: string,
  wanted: DetachRequest['device'],
  context: CallContext,
): Promise<Found> {
  const first = await findOnce(read, machine, wanted, context);
  return first.tag === 'gone' ? findOnce(read, machine, wanted, context) : first;
}

async function findOnce(
  read: Read,
  machine: string,
  wanted: DetachRequest['device'],
  context: CallContext,
): Promise<Found> {
  const now = await read(machine, context);
  if (now.tag === 'failed') return now;
  if (now.specs.length === 0) {
    return { tag: 'failed', failure: noSpecs(machine) };
  }
  for (const spec of now.specs) {
    const device = spec.devices.find((one) => one.stage !== 'gone' && isNamed(wanted, one));
    if (device !== undefined) return checked(machine, wanted, { tag: 'device', read: now, spec, device });
  }
  return { tag: 'gone' };
}

/** An answer in which nothing is listed is no proof that one device is gone. */
export function noSpecs(machine: string): Failure {
  const message = `CM lists no resource specification of machine '${machine}': whether the device is there cannot be told`;
  return { kind: 'Protocol', message };
}

/** By the fabric's id, else by the node's: whichever the resource knows. */
function isNamed({ cdiDeviceId, deviceId }: DetachRequest['device'], device: CmDevice): boolean {
  if (cdiDeviceId) return device.cdiDeviceId === cdiDeviceId;
  return deviceId !== undefined && deviceId !== '' && device.deviceId === deviceId;
}

/** Both ids are known on both sides and disagree: the fabric's id was given to another device since. */
function checked(
  machine: string,
  { deviceId }: DetachRequest['device'],
  found: Extract<Found, { tag: 'device' }>,
): Found {
  const { deviceId: present, cdiDeviceId } = found.device;
  if (!deviceId || present === undefined || deviceId === present) return found;
  const message = `device '${cdiDeviceId}' on machine '${machine}' is now '${present}' and not '${deviceId}': it is left alone`;
  return { tag: 'failed', failure: { kind: 'Conflict', message } };
}
