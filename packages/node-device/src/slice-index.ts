import type { ResourceSlice } from './resource-slice.ts';

/** Name of the index that {@link sliceVisibility} looks devices up by. */
export const SLICE_DEVICE_INDEX = 'nodeDevice';

/** Key of one device on one node. Node names hold no `/`, so that two devices never share a key. */
export function sliceDeviceKey(node: string, deviceId: string): string {
  return `${node}/${deviceId}`;
}

/** The keys that a slice is found by: one for each device on its node; none when it is not about one node. */
export function sliceDeviceKeys(slice: ResourceSlice): readonly string[] {
  const { nodeName } = slice;
  if (nodeName === undefined) return [];
  return slice.devices.map(({ id }) => sliceDeviceKey(nodeName, id));
}

/** Name of the index that the slices of a node are looked up by. */
export const SLICE_NODE_INDEX = 'node';

/** What to give as `indexes` to the watch of the slices. */
export const sliceIndexes: Readonly<Record<string, (slice: ResourceSlice) => readonly string[]>> = {
  [SLICE_DEVICE_INDEX]: sliceDeviceKeys,
  [SLICE_NODE_INDEX]: ({ nodeName }) => (nodeName === undefined ? [] : [nodeName]),
};
