import { isFabricId, type CallContext, type JsonClient, type MachineRead } from '@cro/cdi-core';
import { badMachine } from '../bad-machine.ts';
import { readFailure } from '../certainty.ts';
import { getMachine, type CmPlace } from './calls.ts';
import { wordsOf } from './failures.ts';
import { machineOf, type CmRead } from './machine.ts';

const GET = wordsOf('CM get', 'CM get machine response body into machineData');

/** Reads one machine: one GET. */
export async function readMachine(
  client: JsonClient,
  place: CmPlace,
  machine: string,
  context: CallContext,
): Promise<CmRead | Extract<MachineRead, { tag: 'failed' }>> {
  if (!isFabricId(machine)) return { tag: 'failed', failure: badMachine };
  const answer = await client.call(getMachine(place, machine), context);
  if (answer.tag !== 'ok') return { tag: 'failed', failure: readFailure(GET, answer) };
  const { uuid } = answer.value.data.cluster.machine;
  if (uuid === undefined || uuid === machine) return machineOf(answer.value, machine);
  const problem = 'data.cluster.machine.uuid: found another machine than the one asked for';
  return { tag: 'failed', failure: GET.mismatch({ tag: 'mismatch', status: answer.status, problem }) };
}
