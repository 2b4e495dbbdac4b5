import {
  isFabricId,
  type Availability,
  type CallContext,
  type JsonClient,
  type MachineRead,
  type NameFabric,
} from '@cro/cdi-core';
import { badMachine } from '../bad-machine.ts';
import { readFailure } from '../certainty.ts';
import { available, getMachine, listMachines, type Place } from './calls.ts';
import { devicesOf } from './devices.ts';
import { mismatchOf, wordsOf, type CallNames } from './failures.ts';
import { machineOf } from './machine-of.ts';

const GET: CallNames = {
  request: 'FM get',
  errorBody: 'FM get error response body',
  body: 'FM get machine response body into machineData',
};
const LIST: CallNames = {
  request: 'FM list',
  errorBody: 'FM list error response body',
  body: 'FM list response body into machines',
};
const AVAILABLE: CallNames = {
  request: 'FM available',
  errorBody: 'FM available error response body',
  body: 'FM available response body',
};

/** Reads one machine: one GET. */
export async function readMachine(
  client: JsonClient,
  place: Place,
  machine: string,
  context: CallContext,
): Promise<MachineRead> {
  if (!isFabricId(machine)) return { tag: 'failed', failure: badMachine };
  const answer = await client.call(getMachine(place, machine), context);
  if (answer.tag !== 'ok') return { tag: 'failed', failure: readFailure(wordsOf(GET), answer) };
  const found = machineOf(answer.value, machine);
  switch (found.tag) {
    case 'machine':
      return { tag: 'devices', devices: devicesOf(found.machine, machine) };
    case 'absent':
      return { tag: 'absent', message: `machine '${machine}' is not known to FM` };
    case 'other': {
      const { problem } = found;
      return { tag: 'failed', failure: mismatchOf(GET, { tag: 'mismatch', status: answer.status, problem }) };
    }
    default:
      return found satisfies never;
  }
}

/** Looks through every machine of the tenant for a device. A Fabric Manager without the list cannot tell: nowhere. */
export function findElsewhere(client: JsonClient, place: Place): NonNullable<NameFabric['elsewhere']> {
  return async (device, context) => {
    const answer = await client.call(listMachines(place), context);
    if (answer.tag === 'status' && (answer.status === 404 || answer.status === 405)) return { tag: 'nowhere' };
    if (answer.tag !== 'ok') return { tag: 'failed', failure: readFailure(wordsOf(LIST), answer) };
    for (const machine of answer.value.data.machines ?? []) {
      const holds = machine.resources?.some((resource) =>
        device.cdiDeviceId ? resource.res_uuid === device.cdiDeviceId : resource.res_serial_num === device.deviceId,
      );
      if (holds === true) return { tag: 'machine', machine: machine.mach_uuid ?? '' };
    }
    return { tag: 'nowhere' };
  };
}

/** How many devices of a model are free for a machine. */
export async function countFree(
  client: JsonClient,
  place: Place,
  query: { readonly machine: string; readonly model: string },
  context: CallContext,
): Promise<Availability> {
  if (!isFabricId(query.machine)) return { tag: 'unknown', failure: badMachine };
  const answer = await client.call(available(place, query.machine, query.model), context);
  if (answer.tag !== 'ok') return { tag: 'unknown', failure: readFailure(wordsOf(AVAILABLE), answer) };
  return { tag: 'free', count: answer.value.reserved_res_num_per_fabric };
}
