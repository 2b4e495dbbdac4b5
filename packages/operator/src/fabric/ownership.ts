import {
  READY_TO_DETACH_CDI_DEVICE_LABEL,
  READY_TO_DETACH_DEVICE_LABEL,
  type ComposableResource,
} from '@cro/crd-types';

/**
 * The ids by which a resource holds a device: in its status, in its ticket where a provider has chosen the device beforehand, with
 * what else that choice claims, or in the labels of one that the syncer made.
 */
export function idsHeldBy(resource: ComposableResource): string[] {
  const { status, metadata } = resource;
  const claims: unknown = status?.operation?.payload['claims'];
  const claimed: readonly unknown[] = Array.isArray(claims) ? claims : [];
  const ids = [
    ...claimed,
    status?.cdi_device_id,
    status?.device_id,
    status?.operation?.payload['cdiDeviceId'],
    metadata.labels?.[READY_TO_DETACH_CDI_DEVICE_LABEL],
    metadata.labels?.[READY_TO_DETACH_DEVICE_LABEL],
  ];
  return ids.filter((id): id is string => typeof id === 'string' && id !== '');
}

/**
 * What the node of a resource calls the devices of others there. What is found on one node is nothing to another: a node may claim
 * whatever UUID it has ever seen, and a GPU that was moved by hand may still stand on the resource of the node that it left.
 */
export function takenOnNode(
  resources: readonly ComposableResource[],
  { metadata, spec }: ComposableResource,
): string[] {
  const there = resources.filter(({ spec: { target_node: node } }) => node === spec.target_node);
  return claimedByOthers(there, metadata.uid);
}

/** The ids that all resources but one hold: never to be taken for that one. */
export function claimedByOthers(resources: readonly ComposableResource[], uid: string): string[] {
  return resources.filter((other) => other.metadata.uid !== uid).flatMap(idsHeldBy);
}
