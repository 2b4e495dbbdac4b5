import type { Cache } from '@cro/kube-runtime';
import type { ResourceSlice } from '../resource-slice.ts';
import { SLICE_NODE_INDEX, SLICE_POOL_INDEX, slicePoolKey } from '../slice-index.ts';

/** What the scheduler knows a device by. */
export interface DevicePlace {
  readonly driver: string;
  readonly pool: string;
  /** `spec.devices[].name` of the slice. */
  readonly device: string;
}

/**
 * Where a node's device stands at this moment: once for each entry that a driver and pool has for it, parts of it (MIG) included; empty
 * when there is none. Entries of the whole device come first. Drivers rename devices when they start again: of several generations of
 * a pool the highest is the one that counts. Always in the same order.
 *
 * A slice may name any pool, also that of another node, whose devices are then what the scheduler knows by such a place: what a node shows in a
 * pool that is another's counts for nothing.
 */
export function placesOf(cache: Cache<ResourceSlice>, node: string, deviceId: string): readonly DevicePlace[] {
  const isOwn = (slice: ResourceSlice) =>
    slice.pool === node ||
    cache.byIndex(SLICE_POOL_INDEX, slicePoolKey(slice)).every(({ nodeName }) => nodeName === node);
  const slices = newest(cache.byIndex(SLICE_NODE_INDEX, node).filter(isOwn));
  const placesIn = (namesIn: (slice: ResourceSlice) => readonly string[]) =>
    slices
      .flatMap((slice) => namesIn(slice).map((device) => ({ driver: slice.driver, pool: slice.pool, device })))
      .toSorted((left, right) => compare(wordsOf(left), wordsOf(right)));
  return [
    ...placesIn(({ devices }) => devices.filter(({ id }) => id === deviceId).map(({ name }) => name)),
    ...placesIn(({ partitions }) => partitions.filter(({ of }) => of === deviceId).map(({ name }) => name)),
  ];
}

/** The slices of the highest generation of each pool: the others are about to go, and what they call a device may be another one by now. */
function newest(slices: readonly ResourceSlice[]): readonly ResourceSlice[] {
  const highest = new Map<string, number>();
  for (const slice of slices) {
    const key = slicePoolKey(slice);
    highest.set(key, Math.max(slice.generation, highest.get(key) ?? -Infinity));
  }
  return slices.filter((slice) => slice.generation === highest.get(slicePoolKey(slice)));
}

function wordsOf({ driver, pool, device }: DevicePlace): string {
  return `${driver}/${pool}/${device}`;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
