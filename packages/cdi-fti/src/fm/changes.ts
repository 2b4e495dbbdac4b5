import { isFabricId, type Asked, type CallContext, type JsonClient, type Leaving, type Wanted } from '@cro/cdi-core';
import { badMachine } from '../bad-machine.ts';
import { scaleDown, scaleUp, type Place } from './calls.ts';
import { refusedOrInDoubt } from '../certainty.ts';
import { devicesOf } from './devices.ts';
import { mismatchOf, wordsOf, type CallNames } from './failures.ts';
import { machineOf } from './machine-of.ts';
import { withExhaustion } from './exhaustion.ts';

const UP: CallNames = {
  request: 'FM scaleup',
  errorBody: 'FM scaleup error response body',
  body: 'FM scaleup response body into scaleUpResponse. Original error',
};
const DOWN: CallNames = {
  request: 'FM scaledown',
  errorBody: 'scaledown error response body',
  body: 'FM scaledown response body',
};

/** Asks for one more device. The answer comes when it is attached: seconds to minutes. */
export async function askAttach(
  client: JsonClient,
  place: Place,
  wanted: Wanted,
  context: CallContext,
): Promise<Asked> {
  if (!isFabricId(wanted.machine)) return { tag: 'refused', failure: badMachine };
  const answer = await client.call(scaleUp(place, wanted), context);
  if (answer.tag !== 'ok') return withExhaustion(client, place, wanted, context, refusedOrInDoubt(wordsOf(UP), answer));
  const found = machineOf(answer.value, wanted.machine);
  if (found.tag === 'other') {
    const { problem } = found;
    return { tag: 'inDoubt', failure: mismatchOf(UP, { tag: 'mismatch', status: answer.status, problem }) };
  }
  const devices = found.tag === 'machine' ? devicesOf(found.machine, wanted.machine) : [];
  if (devices.length > 0) return { tag: 'done', devices };
  const message = `can not find the added ${wanted.type} when using FM to add ${wanted.type}`;
  return { tag: 'inDoubt', failure: { kind: 'Protocol', message } };
}

/** Asks for one device to be taken away. The answer comes when it is gone. */
export async function askDetach(
  client: JsonClient,
  place: Place,
  leaving: Leaving,
  context: CallContext,
): Promise<Asked> {
  if (!isFabricId(leaving.machine)) return { tag: 'refused', failure: badMachine };
  const answer = await client.call(scaleDown(place, leaving), context);
  if (answer.tag !== 'ok' && answer.tag !== 'mismatch') return refusedOrInDoubt(wordsOf(DOWN), answer);
  // 200 and 204 are the documented successes, and neither has a body that says more. Another 2xx may be a promise only.
  if (answer.status === 200 || answer.status === 204) return { tag: 'done', devices: [] };
  const message = `FM answered the scaledown request with HTTP ${answer.status}, 200 or 204 was expected`;
  return { tag: 'inDoubt', failure: { kind: 'Protocol', message } };
}
