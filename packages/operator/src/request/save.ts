import { FINALIZER, type ComposabilityRequest, type ComposabilityRequestStatus, requestKind } from '@cro/crd-types';
import type { JsonPatchOperation, WriteOutcome } from '@cro/kube-runtime';
import type { Services } from '../services.ts';

/** Adds the finalizer, guarded by the version that was looked at. */
export function addFinalizer(
  { metadata }: ComposabilityRequest,
  { client }: Services,
): Promise<WriteOutcome<ComposabilityRequest>> {
  const present = metadata.finalizers ?? [];
  const add: JsonPatchOperation =
    present.length === 0
      ? { op: 'add', path: '/metadata/finalizers', value: [FINALIZER] }
      : { op: 'add', path: '/metadata/finalizers/-', value: FINALIZER };
  return client.patch(requestKind, { name: metadata.name }, { type: 'json', operations: [...guards(metadata), add] });
}

/** Removes the finalizer, and no other. */
export function removeFinalizer(
  { metadata }: ComposabilityRequest,
  { client }: Services,
): Promise<WriteOutcome<ComposabilityRequest>> {
  const path = `/metadata/finalizers/${metadata.finalizers?.indexOf(FINALIZER) ?? -1}`;
  const operations: JsonPatchOperation[] = [
    ...guards(metadata),
    { op: 'test', path, value: FINALIZER },
    { op: 'remove', path },
  ];
  return client.patch(requestKind, { name: metadata.name }, { type: 'json', operations });
}

/** Writes the status, guarded by the version that it was computed from. */
export function saveStatus(
  { metadata }: ComposabilityRequest,
  status: ComposabilityRequestStatus,
  { client }: Services,
): Promise<WriteOutcome<ComposabilityRequest>> {
  const operations: JsonPatchOperation[] = [...guards(metadata), { op: 'add', path: '/status', value: status }];
  // Not strict: what a CRD of another release does not know is dropped, and what it does know is still told.
  return client.patch(requestKind, { name: metadata.name }, { type: 'json', operations }, { subresource: 'status' });
}

function guards(metadata: ComposabilityRequest['metadata']): JsonPatchOperation[] {
  return [
    { op: 'test', path: '/metadata/uid', value: metadata.uid },
    { op: 'test', path: '/metadata/resourceVersion', value: metadata.resourceVersion },
  ];
}
