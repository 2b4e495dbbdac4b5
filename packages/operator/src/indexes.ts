import { MANAGED_BY_LABEL, type ComposabilityRequest, type ComposableResource } from '@cro/crd-types';
import { isGiveBack } from '@cro/state-machines';
import { idsHeldBy } from './fabric/ownership.ts';

/** Name of the request that a resource belongs to; `undefined` for one that the syncer or a person made. */
export function requestNameOf(resource: ComposableResource): string | undefined {
  return isGiveBack(resource.metadata) ? undefined : resource.metadata.labels?.[MANAGED_BY_LABEL];
}

/** Indexes of the cache of ComposableResources. */
export const resourceIndexes = {
  /** By name of the request. */
  request: (resource: ComposableResource) => {
    const name = requestNameOf(resource);
    return name === undefined ? [] : [name];
  },
  /** By both ids of the device. */
  device: idsHeldBy,
  /** By name of the node. */
  node: (resource: ComposableResource) => [resource.spec.target_node],
  /** Those whose device is attached and not identified, by name of the node. */
  unidentified: ({ spec, status }: ComposableResource) =>
    status?.operation?.phase === 'attached' ? [spec.target_node] : [],
  /** Those that wait for a free device, by model. */
  exhausted: (resource: ComposableResource) => (readyReasonOf(resource) === 'Exhausted' ? [resource.spec.model] : []),
  /** Those that may not leave without a fence, all under the key `yes`. */
  unfenced: (resource: ComposableResource) =>
    ['FenceNotServed', 'FenceForbidden'].includes(readyReasonOf(resource) ?? '') ? ['yes'] : [],
  /** Those whose device somebody uses, all under the key `yes`. */
  inUse: (resource: ComposableResource) => (readyReasonOf(resource) === 'InUse' ? ['yes'] : []),
  /** Those that something is in the way of, perhaps on their node, by name of the node. */
  hindered: (resource: ComposableResource) =>
    ['Blocked', 'Busy', 'Unreachable'].includes(readyReasonOf(resource) ?? '') ? [resource.spec.target_node] : [],
  /** Those that the fabric does not let in, all under the key `yes`. */
  unauthenticated: (resource: ComposableResource) => (readyReasonOf(resource) === 'Unauthenticated' ? ['yes'] : []),
} as const;

/** Indexes of the cache of ComposabilityRequests. */
export const requestIndexes = {
  /** By name of the target node. */
  target: (request: ComposabilityRequest) =>
    request.spec.resource.target_node === undefined ? [] : [request.spec.resource.target_node],
  /** By state. */
  state: (request: ComposabilityRequest) => [request.status?.state ?? ''],
} as const;

/** The reason of the condition Ready. */
export function readyReasonOf({ status }: ComposableResource): string | undefined {
  return status?.conditions?.find((one) => one.type === 'Ready')?.reason;
}
