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
 * Where a node's device stands at this moment; `undefined` when no slice shows it. Drivers rename devices when they start
 * again: of several generations of a pool the highest is the one that counts.
 */
export function placeOf(cache: Cache<ResourceSlice>, node: string, deviceId: string): DevicePlace | undefined {
  const [newest] = cache
    .byIndex(SLICE_DEVICE_INDEX, sliceDeviceKey(node, deviceId))
    .toSorted((left, right) => right.generation - left.generation);
  const found = newest?.devices.find(({ id }) => id === deviceId);
  return newest && found && { driver: newest.driver, pool: newest.pool, device: found.name };
}
