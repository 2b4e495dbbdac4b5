import type { Asked, CallContext, JsonClient, Wanted } from '@cro/cdi-core';
import type { Place } from './calls.ts';
import { countFree } from './reads.ts';

/** The error codes are not documented, so the pool itself is asked: the kind decides whether to wait for a device. */
export async function withExhaustion(
  client: JsonClient,
  place: Place,
  wanted: Wanted,
  context: CallContext,
  asked: Asked,
): Promise<Asked> {
  if (asked.tag !== 'refused' || asked.failure.kind !== 'Rejected') return asked;
  const free = await countFree(client, place, wanted, context);
  const exhausted = free.tag === 'free' && free.count === 0;
  return exhausted ? { tag: 'refused', failure: { ...asked.failure, kind: 'Exhausted' } } : asked;
}
