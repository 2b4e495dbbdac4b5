import type { Cache, CacheEvent } from '@cro/kube-runtime';
import type { ResourceSlice } from './resource-slice.ts';
import { SLICE_DEVICE_INDEX, sliceDeviceKey } from './slice-index.ts';
import type { Visibility } from './visibility.ts';

/**
 * Visibility by the ResourceSlices that a DRA driver publishes: a device is visible on a node when a slice of that node
 * has it. `cache` must have been made with `sliceIndexes`. Generations of a pool are not compared: as long as a slice
 * of an older one is there, the device counts as visible, which is the careful answer while it is taken away.
 */
export function sliceVisibility({ cache }: { readonly cache: Cache<ResourceSlice> }): Visibility {
  return {
    of(node, deviceId) {
      if (!cache.synced) return 'unknown';
      return cache.byIndex(SLICE_DEVICE_INDEX, sliceDeviceKey(node, deviceId)).length > 0 ? 'visible' : 'absent';
    },
    onChange: (listener) =>
      cache.subscribe((event) => {
        for (const [node, deviceId] of changed(event)) listener(node, deviceId);
      }),
  };
}

/** The devices that a slice gained or lost. A driver may rewrite a slice often without touching its devices. */
function changed(event: CacheEvent<ResourceSlice>): readonly (readonly [node: string, deviceId: string])[] {
  const before = event.type === 'deleted' ? event.object : event.previous;
  const after = event.type === 'deleted' ? undefined : event.object;
  return [...missingIn(after, before), ...missingIn(before, after)];
}

function missingIn(
  other: ResourceSlice | undefined,
  slice: ResourceSlice | undefined,
): readonly (readonly [node: string, deviceId: string])[] {
  const node = slice?.nodeName;
  if (slice === undefined || node === undefined) return [];
  const there = new Set(other?.nodeName === node ? other.devices.map(({ id }) => id) : []);
  return slice.devices.flatMap(({ id }) => (there.has(id) ? [] : [[node, id] as const]));
}
