import {
  FINALIZER,
  MANAGED_BY_LABEL,
  type ComposabilityRequest,
  type ComposableResource,
  requestKind,
  resourceKind,
} from '@cro/crd-types';
import { accessTo, type Access, type DeleteOutcome } from '@cro/kube-runtime';
import type { RequestOutcome } from '@cro/state-machines';
import type { Services } from '../services.ts';
import { ownerLink } from './owner-link.ts';
import { firstFailure, unreachable, type Result } from './result.ts';

/** What making and deleting children asks of the API server. */
export const havingChildren: readonly Access[] = [
  accessTo(resourceKind, ['create'], { without: 'no request gets its devices', need: 'required' }),
  accessTo(resourceKind, ['delete'], { without: 'no device of a request is given back', need: 'required' }),
  accessTo(resourceKind, ['get'], {
    without: 'a lost answer to a create is not made up for',
    need: 'required',
    rarely: 'it is read live only after the answer to a write was lost',
  }),
  accessTo(requestKind, ['update'], {
    subresource: 'finalizers',
    without: 'clusters with the admission plugin OwnerReferencesPermissionEnforcement refuse what requests create',
    need: 'optional',
    rarely: 'only that plugin looks at it, which OpenShift has switched on: children block the deletion of their owner',
  }),
];

/** Creates the children that the plan names and that are not there, all at once. */
export async function createChildren(
  request: ComposabilityRequest,
  children: readonly ComposableResource[],
  services: Services,
): Promise<RequestOutcome> {
  const there = new Set(children.map((child) => child.metadata.name));
  const missing = Object.entries(request.status?.resources ?? {}).filter(([name]) => !there.has(name));
  const results = await Promise.all(
    missing.map(([name, entry]) => createChild(name, entry.node_name ?? '', request, services)),
  );
  return { request: 'createChildren', ...firstFailure(results) };
}

async function createChild(
  name: string,
  node: string,
  request: ComposabilityRequest,
  services: Services,
): Promise<Result> {
  const { type, model, force_detach } = request.spec.resource;
  const child = {
    metadata: {
      name,
      labels: { [MANAGED_BY_LABEL]: request.metadata.name },
      finalizers: [FINALIZER],
      ownerReferences: [ownerLink(request)],
    },
    spec: { type, model, target_node: node, ...(force_detach !== undefined && { force_detach }) },
  };
  const outcome = await services.client.create(resourceKind, child);
  switch (outcome.tag) {
    case 'done':
      return outcome;
    case 'alreadyExists':
      return takeOver(child, services);
    case 'notFound':
      return unreachable('the API server does not know ComposableResources: apply deploy/crd');
    case 'conflict':
    case 'refused':
    case 'unknown':
      return unreachable(outcome.error.message);
  }
}

interface Wanted {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly spec: ComposableResource['spec'];
}

/** A lost reply to an earlier create looks like a foreign object of that name: they differ in spec and label. */
async function takeOver(wanted: Wanted, { client }: Services): Promise<Result> {
  const { name } = wanted.metadata;
  const live = await client.get(resourceKind, { name });
  if (live.tag === 'failed') return unreachable(live.error.message);
  if (live.tag === 'notFound') return unreachable(`${name} was there a moment ago and is gone: trying again`);
  const { metadata, spec } = live.object;
  const sameLabel = metadata.labels?.[MANAGED_BY_LABEL] === wanted.metadata.labels[MANAGED_BY_LABEL];
  const sameSpec =
    spec.type === wanted.spec.type && spec.model === wanted.spec.model && spec.target_node === wanted.spec.target_node;
  if (sameLabel && sameSpec) return { tag: 'done' };
  const message = `a ComposableResource ${name} exists already and is not of this request: delete it, or change the request`;
  return { tag: 'failed', failure: { kind: 'Conflict', message } };
}

/** Deletes children that nobody has deleted yet, all at once. One that is gone already, or is another by now, is as good. */
export async function deleteChildren(
  request: 'deleteExtraChildren' | 'deleteAllChildren',
  owner: ComposabilityRequest,
  children: readonly ComposableResource[],
  services: Services,
): Promise<RequestOutcome> {
  const planned = owner.status?.resources ?? {};
  const doomed = children.filter(
    ({ metadata }) =>
      metadata.deletionTimestamp === undefined &&
      (request === 'deleteAllChildren' || !Object.hasOwn(planned, metadata.name)),
  );
  const outcomes = await Promise.all(
    doomed.map(({ metadata }) => services.client.delete(resourceKind, { name: metadata.name }, { uid: metadata.uid })),
  );
  return { request, ...firstFailure(outcomes.map(resultOfDelete)) };
}

/** The result of a delete: not found and another uid are normal ends of it. */
export function resultOfDelete(outcome: DeleteOutcome): Result {
  switch (outcome.tag) {
    case 'done':
    case 'notFound':
    case 'conflict':
      return { tag: 'done' };
    case 'refused':
    case 'unknown':
      return unreachable(outcome.error.message);
  }
}
