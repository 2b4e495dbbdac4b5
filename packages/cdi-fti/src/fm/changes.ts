import {
  isFabricId,
  type Answer,
  type Asked,
  type CallContext,
  type JsonClient,
  type Leaving,
  type Wanted,
} from '@cro/cdi-core';
import { scaleDown, scaleUp, type Place } from './calls.ts';
import { devicesOf } from './devices.ts';
import { mismatchOf, refusalOf, type CallNames } from './failures.ts';
import { countFree } from './reads.ts';

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
  if (!isFabricId(wanted.machine)) return badMachine();
  const answer = await client.call(scaleUp(place, wanted), context);
  if (answer.tag !== 'ok') return refusedOrInDoubt(UP, answer, () => poolIsEmpty(client, place, wanted, context));
  const machine = answer.value.data.machines?.[0];
  const devices = machine === undefined ? [] : devicesOf(machine, wanted.machine);
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
  if (!isFabricId(leaving.machine)) return badMachine();
  const answer = await client.call(scaleDown(place, leaving), context);
  // 200 and 204 are the documented successes, and neither has a body that says more.
  if (answer.tag === 'ok' || answer.tag === 'mismatch') return { tag: 'done', devices: [] };
  return refusedOrInDoubt(DOWN, answer, () => Promise.resolve(false));
}

/**
 * Only an error in the Fabric Manager's own words with a status below 500, or a request that never left, is proof that nothing
 * changed. A page of something in between, a broken connection or a broken server prove nothing.
 */
async function refusedOrInDoubt(
  names: CallNames,
  answer: Exclude<Answer<unknown>, { tag: 'ok' }>,
  isExhausted: () => Promise<boolean>,
): Promise<Asked> {
  switch (answer.tag) {
    case 'mismatch':
      return { tag: 'inDoubt', failure: mismatchOf(names, answer) };
    case 'noAnswer':
      if (!answer.sent) return { tag: 'refused', failure: answer.failure };
      return { tag: 'inDoubt', failure: { kind: 'InDoubt', message: answer.failure.message } };
    case 'status': {
      const { framed, failure } = refusalOf(names, answer);
      if (!framed || answer.status >= 500 || answer.status === 408) {
        const kind = failure.kind === 'Protocol' ? 'Protocol' : 'InDoubt';
        return { tag: 'inDoubt', failure: { ...failure, kind } };
      }
      const exhausted = failure.kind === 'Rejected' && (await isExhausted());
      return { tag: 'refused', failure: exhausted ? { ...failure, kind: 'Exhausted' } : failure };
    }
  }
}

/** The error codes are not documented, so the pool itself is asked: the kind decides whether to wait for a device. */
async function poolIsEmpty(client: JsonClient, place: Place, wanted: Wanted, context: CallContext): Promise<boolean> {
  const free = await countFree(client, place, wanted, context);
  return free.tag === 'free' && free.count === 0;
}

function badMachine(): Asked {
  const message = 'the machine id holds characters that no id of FM has: correct the Node';
  return { tag: 'refused', failure: { kind: 'Rejected', message } };
}
