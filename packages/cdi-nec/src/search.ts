import type { CallContext, OperationFabric, OperationTarget } from '@cro/cdi-core';
import { appliesSince } from './calls.ts';
import type { Cdim } from './cdim.ts';
import { failureOf } from './failures.ts';
import type { Notes } from './notes.ts';
import { stepOf } from './submit.ts';

type Searched = Awaited<ReturnType<NonNullable<OperationFabric<Notes>['search']>>>;

/** Looks for the apply of a POST whose answer was lost: a newer one than the ticket saw, with our very step. */
export async function search(
  { client, places }: Cdim,
  target: OperationTarget<Notes>,
  context: CallContext,
): Promise<Searched> {
  const { since, seen } = target.notes;
  const answer = await client.call(appliesSince(places, since), context);
  if (answer.tag !== 'ok') return { tag: 'failed', failure: failureOf('CDIM layout-apply history', answer) };
  const wanted = Object.entries(stepOf(target));
  const ours = (answer.value.applyResults ?? []).find(
    ({ applyID, procedures = [] }) =>
      !seen.includes(applyID) && procedures.some((step) => wanted.every(([key, value]) => step[key] === value)),
  );
  return ours === undefined ? { tag: 'none' } : { tag: 'found', operation: ours.applyID };
}
