import type { ResourceSlice } from './resource-slice.ts';

/** Name of the index that {@link sliceVisibility} looks devices up by. */
export const SLICE_DEVICE_INDEX = 'nodeDevice';

/** Key of one device on one node. Node names hold no `/`, so that two devices never share a key. */
export function sliceDeviceKey(node: string, deviceId: string): string {
  return `${node}/${deviceId}`;
}

/** The ids that a slice shows: of its whole devices, and of those of which it has parts alone. */
export function idsIn({ devices, partitions }: ResourceSlice): readonly string[] {
  return [...new Set([...devices.map(({ id }) => id), ...partitions.map(({ of }) => of)])];
}

/** The keys that a slice is found by: one for each device on its node; none when it is not about one node. */
export function sliceDeviceKeys(slice: ResourceSlice): readonly string[] {
  return keysOf(slice, idsIn(slice));
}

function keysOf({ nodeName }: ResourceSlice, ids: readonly string[]): readonly string[] {
  return nodeName === undefined ? [] : ids.map((id) => sliceDeviceKey(nodeName, id));
}

/** Name of the index of what drivers show that are not accepted. */
export const SLICE_IGNORED_INDEX = 'nodeIgnored';

/** Name of the index that the slices of a node are looked up by. */
export const SLICE_NODE_INDEX = 'node';

/** Name of the index that the slices of a pool are looked up by, those that are of one node. */
export const SLICE_POOL_INDEX = 'pool';

/** Key of a pool. No driver's name holds a slash. */
export function slicePoolKey({ driver, pool }: Pick<ResourceSlice, 'driver' | 'pool'>): string {
  return `${driver}/${pool}`;
}

/** What to give as `indexes` to the watch of the slices. */
export const sliceIndexes: Readonly<Record<string, (slice: ResourceSlice) => readonly string[]>> = {
  [SLICE_DEVICE_INDEX]: sliceDeviceKeys,
  [SLICE_IGNORED_INDEX]: (slice) => keysOf(slice, slice.ignored),
  [SLICE_POOL_INDEX]: (slice) => (slice.nodeName === undefined ? [] : [slicePoolKey(slice)]),
  [SLICE_NODE_INDEX]: ({ nodeName }) => (nodeName === undefined ? [] : [nodeName]),
};
