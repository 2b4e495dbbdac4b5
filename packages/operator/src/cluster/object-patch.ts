import { FINALIZER, type ObjectMeta } from '@cro/crd-types';
import type { JsonPatchOperation } from '@cro/kube-runtime';

/** How long to wait for the watch after a write was overtaken. The watch event comes sooner and wakes the object. */
export const OVERTAKEN_MS = 200;

/** Guards a patch: the object is still the one, in the version, that the patch was made for. */
export function sameVersion({ uid, resourceVersion }: ObjectMeta): JsonPatchOperation[] {
  return [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
  ];
}

/** Adds the finalizer, guarded by the version that was looked at. */
export function finalizerAdded(metadata: ObjectMeta): JsonPatchOperation[] {
  const present = metadata.finalizers ?? [];
  return present.length === 0
    ? [...sameVersion(metadata), { op: 'add', path: '/metadata/finalizers', value: [FINALIZER] }]
    : [...sameVersion(metadata), { op: 'add', path: '/metadata/finalizers/-', value: FINALIZER }];
}

/** Whether a write has let the object go: our finalizer was the last thing that held it for us. */
export function isLetGo(before: ObjectMeta, after: ObjectMeta): boolean {
  const holds = ({ finalizers }: ObjectMeta) => finalizers?.includes(FINALIZER) ?? false;
  return holds(before) && !holds(after);
}

/** Removes the finalizer, and no other. */
export function finalizerRemoved(metadata: ObjectMeta): JsonPatchOperation[] {
  const path = `/metadata/finalizers/${metadata.finalizers?.indexOf(FINALIZER) ?? -1}`;
  return [...sameVersion(metadata), { op: 'test', path, value: FINALIZER }, { op: 'remove', path }];
}
