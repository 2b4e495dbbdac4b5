import { cleanText } from '@cro/cdi-core';
import type { Cache } from '@cro/kube-runtime';
import type { DevicePlace } from '../fence/device-place.ts';
import type { NodeDeviceRef } from '../node-actions.ts';
import type { LoadOutcome } from '../outcomes.ts';
import type { ResourceSlice, SliceDrivers } from '../resource-slice.ts';
import { SLICE_NODE_INDEX } from '../slice-index.ts';
import { CLAIM_PLACE_INDEX, CLAIM_POOL_INDEX, placeKey, poolKey, type ResourceClaim } from './kinds/resource-claim.ts';
import { named } from './named.ts';
import { problemOf } from './unread.ts';

/** What is looked at. */
export interface ClaimSources {
  /** Watched with `sliceIndexes`. */
  readonly slices: Cache<ResourceSlice>;
  /** The drivers whose slices these are. */
  readonly sliceDrivers: SliceDrivers;
  /** Watched with `claimIndexes`. */
  readonly claims: Cache<ResourceClaim>;
}

/**
 * Finds the ResourceClaims that were allocated a device or a partition of it (MIG), whatever names the driver gives these at
 * this moment. A claim that is reserved for nobody counts: a pod is about to get it. While the node does not show the device, a claim
 * on a GPU that is not shown either may be on this one, and counts.
 */
export function claimsOn(
  { node, deviceId }: NodeDeviceRef,
  { slices, sliceDrivers, claims }: ClaimSources,
): LoadOutcome {
  const unread = problemOf(claims, 'ResourceClaims');
  if (unread !== undefined) return { tag: 'failed', failure: unread };
  const published = slices.byIndex(SLICE_NODE_INDEX, node);
  const places = placesIn(published, deviceId);
  const users = new Set<string>();
  for (const place of places) {
    for (const claim of claims.byIndex(CLAIM_PLACE_INDEX, placeKey(place))) users.add(words(claim));
  }
  if (places.length === 0) {
    for (const claim of onHidden(node, published, { sliceDrivers, claims })) {
      users.add(`${words(claim)}, whose device node ${node} does not show at present`);
    }
  }
  return users.size === 0 ? { tag: 'idle' } : { tag: 'inUse', by: named([...users]) };
}

/**
 * Claims on a GPU of the node that no slice shows: their driver is down, or has renamed its devices. A driver of GPUs has one pool a
 * node, named after it, as the kubelet's helper for such drivers makes it.
 */
function onHidden(
  node: string,
  published: readonly ResourceSlice[],
  { sliceDrivers, claims }: Pick<ClaimSources, 'sliceDrivers' | 'claims'>,
): readonly ResourceClaim[] {
  const shown = new Set(placesIn(published).map(placeKey));
  return sliceDrivers.gpu.flatMap((driver) => {
    const isHidden = (place: DevicePlace) =>
      place.driver === driver && place.pool === node && !shown.has(placeKey(place));
    return claims
      .byIndex(CLAIM_POOL_INDEX, poolKey({ driver, pool: node }))
      .filter(({ devices }) => devices.some(isHidden));
  });
}

/** The places of a device and of its partitions, or of all. Older generations of a pool count: a claim may be of their time. */
function placesIn(published: readonly ResourceSlice[], deviceId?: string): readonly DevicePlace[] {
  const isMeant = (id: string) => deviceId === undefined || id === deviceId;
  return published.flatMap(({ driver, pool, devices, partitions }) => [
    ...devices.filter(({ id }) => isMeant(id)).map(({ name }) => ({ driver, pool, device: name })),
    ...partitions.filter(({ of }) => isMeant(of)).map(({ name }) => ({ driver, pool, device: name })),
  ]);
}

/** Names of claims are checked by the API server, of those that a claim is reserved for not all. */
function words({ metadata: { namespace = '', name }, users }: ResourceClaim): string {
  return `ResourceClaim ${namespace}/${name} (${users.length === 0 ? 'reserved for nobody yet' : cleanText(named(users))})`;
}
