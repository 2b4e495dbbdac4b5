import {
  type ComposableResource,
  type ComposableResourceStatus,
  type FabricLocation,
  resourceKind,
} from '@cro/crd-types';
import { accessTo, type Access, type JsonPatchOperation, type WriteOutcome } from '@cro/kube-runtime';
import { nextStatus, type ResourceChange, type ResourceKnowledge, type StatusChange } from '@cro/state-machines';
import { isDeepStrictEqual } from 'node:util';
import { finalizerAdded, finalizerRemoved, sameVersion } from '../cluster/object-patch.ts';
import { presentable } from '../report/presentable.ts';
import type { Services } from '../services.ts';

/** How a change was saved. */
export type Saved =
  | { readonly tag: 'saved'; readonly object: ComposableResource }
  /** It is what stands there already. */
  | { readonly tag: 'unchanged' }
  /** Somebody else wrote, or the object is gone: look at it anew. */
  | { readonly tag: 'overtaken' }
  /** The server may have written it: look at it live. */
  | { readonly tag: 'unknown'; readonly message: string }
  /** The CRD in the cluster does not know all of it, and dropped that or refused it. */
  | { readonly tag: 'outdatedCrd' }
  | { readonly tag: 'failed'; readonly message: string };

/** What a change is saved with. */
export interface SaveContext {
  readonly known: ResourceKnowledge;
  readonly location: FabricLocation | undefined;
  readonly services: Services;
}

const REQUIRED = { without: 'no ComposableResource gets on', need: 'required' } as const;

/** What saving a resource asks of the API server. */
export const savingResources: readonly Access[] = [
  accessTo(resourceKind, ['patch'], REQUIRED),
  accessTo(resourceKind, ['patch'], { ...REQUIRED, subresource: 'status' }),
];

/** Writes a change, guarded against everything that could have changed meanwhile; writes nothing that says nothing new. */
export async function saveChange(
  resource: ComposableResource,
  change: ResourceChange,
  context: SaveContext,
): Promise<Saved> {
  const { client, clock } = context.services;
  const ref = { name: resource.metadata.name };
  if (change.tag === 'addFinalizer' || change.tag === 'removeFinalizer') {
    const operations =
      change.tag === 'addFinalizer' ? finalizerAdded(resource.metadata) : finalizerRemoved(resource.metadata);
    return savedOf(await client.patch(resourceKind, ref, { type: 'json', operations }));
  }
  const now = new Date(clock.now()).toISOString();
  const status = presentable(nextStatus(resource, change, { known: context.known, location: context.location, now }));
  if (isDeepStrictEqual(status, resource.status)) return { tag: 'unchanged' };
  const operations: JsonPatchOperation[] = [...guards(resource, change), { op: 'add', path: '/status', value: status }];
  const keepsTicket = change.tag === 'openTicket' || change.tag === 'updateTicket';
  const outcome = await client.patch(
    resourceKind,
    ref,
    { type: 'json', operations },
    // A report is not strict: what an older CRD does not know is dropped, and what it does know is still told.
    { subresource: 'status', ...(keepsTicket && { fieldValidation: 'Strict' }) },
  );
  const saved = savedOf(outcome);
  if (saved.tag === 'overtaken' && endsTicket(change)) return saveWithoutTicket(resource, change, context);
  return keptOf(saved, status, change, context.services);
}

function endsTicket(change: StatusChange): boolean {
  return change.tag === 'closeTicket' || change.tag === 'markAttached';
}

/**
 * What a ticket came to, when the object holds no ticket any more: somebody applied a CRD that does not know it, and the
 * server shows the same version without it, of which no watch tells. The device is recorded all the same, unless anybody has
 * recorded one meanwhile.
 */
async function saveWithoutTicket(
  { metadata, status: remembered }: ComposableResource,
  change: StatusChange,
  { known, location, services: { client, clock, storedFields } }: SaveContext,
): Promise<Saved> {
  const ref = { name: metadata.name };
  const live = await client.get(resourceKind, ref);
  if (live.tag !== 'found') return { tag: 'overtaken' };
  const { metadata: present, status } = live.object;
  const isDropped =
    present.uid === metadata.uid &&
    status?.operation === undefined &&
    status?.device_id === remembered?.device_id &&
    status?.cdi_device_id === remembered?.cdi_device_id;
  if (!isDropped) return { tag: 'overtaken' };
  const now = new Date(clock.now()).toISOString();
  const value = presentable(nextStatus(live.object, change, { known, location, now }));
  const operations: JsonPatchOperation[] = [...sameVersion(present), { op: 'add', path: '/status', value }];
  const saved = savedOf(await client.patch(resourceKind, ref, { type: 'json', operations }, { subresource: 'status' }));
  if (saved.tag !== 'saved') return saved;
  return storedFields.note(value, saved.object.status) ? saved : { tag: 'outdatedCrd' };
}

/** The fabric is called only if the server's answer holds the ticket: an older CRD would drop it in silence. */
function keptOf(saved: Saved, sent: ComposableResourceStatus, change: StatusChange, { storedFields }: Services): Saved {
  if (saved.tag === 'saved') return storedFields.note(sent, saved.object.status) ? saved : { tag: 'outdatedCrd' };
  if (saved.tag !== 'failed' || change.tag !== 'openTicket' || !saved.message.includes('unknown field')) return saved;
  storedFields.note({ operation: change.ticket });
  return { tag: 'outdatedCrd' };
}

/**
 * A ticket's outcome must be recorded although autoscalers annotate the object all the time: its own id guards it. All
 * else is guarded by the version that the decision was made on.
 */
function guards(resource: ComposableResource, change: StatusChange): JsonPatchOperation[] {
  const ticket = resource.status?.operation?.id;
  const closes = change.tag === 'closeTicket' || change.tag === 'updateTicket' || change.tag === 'markAttached';
  return closes && ticket !== undefined
    ? [
        { op: 'test', path: '/metadata/uid', value: resource.metadata.uid },
        { op: 'test', path: '/status/operation/id', value: ticket },
      ]
    : sameVersion(resource.metadata);
}

function savedOf(outcome: WriteOutcome<ComposableResource>): Saved {
  switch (outcome.tag) {
    case 'done':
      return { tag: 'saved', object: outcome.object };
    case 'notFound':
    case 'conflict':
    case 'alreadyExists':
      return { tag: 'overtaken' };
    case 'unknown':
      return { tag: 'unknown', message: outcome.error.message };
    case 'refused':
      return { tag: 'failed', message: outcome.error.message };
  }
}
