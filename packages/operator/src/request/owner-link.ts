import {
  type ComposabilityRequest,
  type ComposableResource,
  type OwnerReference,
  requestKind,
  resourceKind,
} from '@cro/crd-types';
import { apiVersionOf } from '@cro/kube-runtime';
import { isPlannedAndUnowned, type RequestOutcome } from '@cro/state-machines';
import { sameVersion } from '../cluster/object-patch.ts';
import type { Services } from '../services.ts';
import { firstFailure, unreachable, type Result } from './result.ts';

/** Names a request as the owner of a child: what is left when a request is gone is then collected as garbage. */
export function ownerLink({ metadata }: ComposabilityRequest): OwnerReference {
  const { name, uid } = metadata;
  const owner = { apiVersion: apiVersionOf(requestKind), kind: requestKind.kind, name, uid };
  return { ...owner, controller: true, blockOwnerDeletion: true };
}

/** Gives planned children their owner link: the Go operator sets none, and a hand may have taken it away. */
export async function ownChildren(
  request: ComposabilityRequest,
  children: readonly ComposableResource[],
  services: Services,
): Promise<RequestOutcome> {
  const unowned = children.filter((child) => isPlannedAndUnowned(request, child));
  const results = await Promise.all(unowned.map((child) => ownChild(request, child, services)));
  return { request: 'ownChildren', ...firstFailure(results) };
}

async function ownChild(
  request: ComposabilityRequest,
  { metadata }: ComposableResource,
  { client }: Services,
): Promise<Result> {
  const owners = metadata.ownerReferences ?? [];
  // An object has one controller at most: where somebody else is that, the request is an owner like any other.
  const controller = owners.every((owner) => owner.controller !== true);
  const value = [...owners, { ...ownerLink(request), controller }];
  const operations = [...sameVersion(metadata), { op: 'add', path: '/metadata/ownerReferences', value } as const];
  const outcome = await client.patch(resourceKind, { name: metadata.name }, { type: 'json', operations });
  switch (outcome.tag) {
    case 'done':
      return outcome;
    case 'notFound':
    case 'conflict':
    case 'alreadyExists':
      // Somebody else was faster: the watch tells, and the request looks again.
      return { tag: 'done' };
    case 'refused':
    case 'unknown':
      return unreachable(outcome.error.message);
  }
}
