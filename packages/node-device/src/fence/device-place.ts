import type { Cache } from '@cro/kube-runtime';
import type { ResourceSlice } from '../resource-slice.ts';
import { SLICE_DEVICE_INDEX, sliceDeviceKey } from '../slice-index.ts';

/** What the scheduler knows a device by. */
export interface DevicePlace {
  readonly driver: string;
  readonly pool: string;
  /** `spec.devices[].name` of the slice. */
  readonly device: string;
}

/**
 * Where a node's device stands at this moment: once a driver and pool that shows it, empty when no slice does. Drivers rename
 * devices when they start again: of several generations of a pool the highest is the one that counts. Always in the same order.
 */
export function placesOf(cache: Cache<ResourceSlice>, node: string, deviceId: string): readonly DevicePlace[] {
  const slices = cache.byIndex(SLICE_DEVICE_INDEX, sliceDeviceKey(node, deviceId));
  const isNewest = (slice: ResourceSlice) =>
    slices.every(
      ({ driver, pool, generation }) =>
        driver !== slice.driver || pool !== slice.pool || generation <= slice.generation,
    );
  return slices
    .filter(isNewest)
    .flatMap(({ driver, pool, devices }) =>
      devices.filter(({ id }) => id === deviceId).map(({ name }): DevicePlace => ({ driver, pool, device: name })),
    )
    .toSorted((left, right) => compare(wordsOf(left), wordsOf(right)));
}

function wordsOf({ driver, pool, device }: DevicePlace): string {
  return `${driver}/${pool}/${device}`;
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
