import { type ComposabilityRequest, type ComposabilityRequestStatus, requestKind } from '@cro/crd-types';
import { accessTo, type Access, type JsonPatchOperation, type WriteOutcome } from '@cro/kube-runtime';
import { finalizerAdded, finalizerRemoved, sameVersion } from '../cluster/object-patch.ts';
import type { Services } from '../services.ts';

const REQUIRED = { without: 'no ComposabilityRequest gets on', need: 'required' } as const;

/** What saving a request asks of the API server. */
export const savingRequests: readonly Access[] = [
  accessTo(requestKind, ['patch'], REQUIRED),
  accessTo(requestKind, ['patch'], { ...REQUIRED, subresource: 'status' }),
];

/** Adds the finalizer, guarded by the version that was looked at. */
export function addFinalizer(
  { metadata }: ComposabilityRequest,
  { client }: Services,
): Promise<WriteOutcome<ComposabilityRequest>> {
  return client.patch(requestKind, { name: metadata.name }, { type: 'json', operations: finalizerAdded(metadata) });
}

/** Removes the finalizer, and no other. */
export function removeFinalizer(
  { metadata }: ComposabilityRequest,
  { client }: Services,
): Promise<WriteOutcome<ComposabilityRequest>> {
  return client.patch(requestKind, { name: metadata.name }, { type: 'json', operations: finalizerRemoved(metadata) });
}

/** Writes the status, guarded by the version that it was computed from. */
export function saveStatus(
  { metadata }: ComposabilityRequest,
  status: ComposabilityRequestStatus,
  { client }: Services,
): Promise<WriteOutcome<ComposabilityRequest>> {
  const operations: JsonPatchOperation[] = [...sameVersion(metadata), { op: 'add', path: '/status', value: status }];
  // Not strict: what a CRD of another release does not know is dropped, and what it does know is still told.
  return client.patch(requestKind, { name: metadata.name }, { type: 'json', operations }, { subresource: 'status' });
}
