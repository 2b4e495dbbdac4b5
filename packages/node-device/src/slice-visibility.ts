import type { Cache, CacheEvent } from '@cro/kube-runtime';
import { NVIDIA_SLICES, type ResourceSlice, type SliceDrivers } from './resource-slice.ts';
import { SLICE_DEVICE_INDEX, SLICE_IGNORED_INDEX, sliceDeviceKey } from './slice-index.ts';
import type { Visibility } from './visibility.ts';

/** What is looked at. */
export interface SliceVisibilityOptions {
  /** Watched with `sliceIndexes`, and a kind of `sliceKindWith`. */
  readonly cache: Cache<ResourceSlice>;
  /** The drivers that are accepted, for messages: those that the slices were read with. NVIDIA's unless given. */
  readonly sliceDrivers?: SliceDrivers;
}

/**
 * Visibility by the ResourceSlices that a DRA driver publishes: a device is visible on a node when a slice of that node
 * has it, or a part of it (a GPU that is cut up has no entry of its own). Generations of a pool are not compared: as long as a slice
 * of an older one is there, the device counts as visible, which is the careful answer while it is taken away.
 */
export function sliceVisibility({ cache, sliceDrivers = NVIDIA_SLICES }: SliceVisibilityOptions): Visibility {
  const slicesOf = (index: string, node: string, deviceId: string) =>
    cache.byIndex(index, sliceDeviceKey(node, deviceId));
  return {
    of(node, deviceId) {
      if (!cache.synced) return 'unknown';
      return slicesOf(SLICE_DEVICE_INDEX, node, deviceId).length > 0 ? 'visible' : 'absent';
    },
    missing(node, deviceId) {
      if (slicesOf(SLICE_DEVICE_INDEX, node, deviceId).length > 0) return undefined;
      const others = new Set(slicesOf(SLICE_IGNORED_INDEX, node, deviceId).map(({ driver }) => driver));
      return others.size === 0 ? undefined : notAccepted([...others].toSorted(), sliceDrivers);
    },
    onChange: (listener) =>
      cache.subscribe((event) => {
        for (const [node, deviceId] of changed(event)) listener(node, deviceId);
      }),
  };
}

function notAccepted(others: readonly string[], { gpu }: SliceDrivers): string {
  return `ResourceSlices of driver ${others.join(' and ')} show it there, and only those of ${gpu.join(', ')} are looked at. If pods get the device from that driver, name it in CRO_DRA_DRIVERS`;
}

/**
 * The devices of which a slice gained or lost an entry, or gave one another name. A driver may rewrite a slice often without touching
 * its devices.
 */
function changed(event: CacheEvent<ResourceSlice>): readonly (readonly [node: string, deviceId: string])[] {
  const before = entriesOf(event.type === 'deleted' ? event.object : event.previous);
  const after = entriesOf(event.type === 'deleted' ? undefined : event.object);
  const differing = [...before, ...after].filter(([key]) => before.has(key) !== after.has(key));
  const ids = new Map(differing.map(([, { node, id }]) => [sliceDeviceKey(node, id), [node, id] as const]));
  return [...ids.values()];
}

/** Every entry of a slice by what makes it another one: its node, its device and its name. */
function entriesOf(
  slice: ResourceSlice | undefined,
): ReadonlyMap<string, { readonly node: string; readonly id: string }> {
  const node = slice?.nodeName;
  if (slice === undefined || node === undefined) return new Map();
  const { devices, partitions, ignored } = slice;
  const entries = [
    ...devices.map(({ id, name }) => ({ id, name })),
    ...partitions.map(({ of, name }) => ({ id: of, name })),
    ...ignored.map((id) => ({ id, name: '' })),
  ];
  return new Map(entries.map(({ id, name }) => [`${node}/${name}/${id}`, { node, id }]));
}
