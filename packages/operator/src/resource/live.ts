import { type ComposableResource, resourceKind } from '@cro/crd-types';
import { accessTo, type Access, type ReconcileResult } from '@cro/kube-runtime';
import { OVERTAKEN_MS } from '../cluster/object-patch.ts';
import type { Services } from '../services.ts';
import type { ResourceMemory } from './memory.ts';

/** What looking after a lost answer asks of the API server. */
export const lookingLive: Access = accessTo(resourceKind, ['get'], {
  without: 'a resource stands still after the answer to a write was lost',
  need: 'required',
  rarely: 'it is read live only after the answer to a write was lost',
});

/** After a write whose answer was lost: nothing is decided before what is stored has been seen. */
export async function lookLive(
  resource: ComposableResource,
  memory: ResourceMemory,
  message: string,
  { client, caches }: Services,
): Promise<ReconcileResult> {
  const { name } = resource.metadata;
  const live = await client.get(resourceKind, { name });
  if (live.tag === 'failed') return { tag: 'failed', message: `${message}; ${live.error.message}` };
  if (live.tag === 'found') {
    recogniseOwnTicket(live.object, memory);
    const stored = live.object.metadata.resourceVersion;
    const cached = caches.resources.get(name)?.metadata.resourceVersion ?? '0';
    if (isOlder(cached, stored)) memory.mustSee = stored;
  }
  return { tag: 'again', afterMs: OVERTAKEN_MS };
}

/** The ticket was saved after all, and by this process: it alone knows that the fabric has not been called for it. */
function recogniseOwnTicket(live: ComposableResource, memory: ResourceMemory): void {
  const { outcome } = memory;
  if (outcome?.request !== 'prepareAttach' && outcome?.request !== 'prepareDetach') return;
  if (outcome.tag !== 'ticket' || outcome.ticket.id !== live.status?.operation?.id) return;
  memory.outcome = undefined;
  memory.unstartedTicket = outcome.ticket.id;
}

/** Whether a resourceVersion is older than another: they are numbers that grow (KEP-5504). */
export function isOlder(left: string, right: string): boolean {
  return left.length === right.length ? left < right : left.length < right.length;
}
