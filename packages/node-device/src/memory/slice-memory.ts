import type { Cache } from '@cro/kube-runtime';
import type { Identity } from '../identity.ts';
import type { NodeActions, NodeDeviceRef } from '../node-actions.ts';
import type { LoadOutcome, NodeOutcome } from '../outcomes.ts';
import type { ResourceSlice } from '../resource-slice.ts';
import { SLICE_DEVICE_INDEX, SLICE_NODE_INDEX, sliceDeviceKey } from '../slice-index.ts';

/** Where memory is published by a DRA driver. `cache`: made with `sliceIndexes`, of slices read by `sliceKindWith`. */
export interface SliceMemoryOptions {
  readonly cache: Cache<ResourceSlice>;
}

/** Identity of memory that a DRA driver publishes: by the CXL id of its logical device, which fabric and node have in common. */
export function sliceMemoryIdentity({ cache }: SliceMemoryOptions): Identity {
  const idsOn = (node: string) =>
    cache
      .byIndex(SLICE_NODE_INDEX, node)
      .flatMap(({ devices }) => devices.filter(({ isMemory }) => isMemory === true).map(({ id }) => id));
  return {
    shownBy: (node) => (cache.synced ? idsOn(node) : undefined),
    find({ node, hints: { gcxlId } }) {
      if (gcxlId === undefined) {
        return { tag: 'notYet', message: 'the fabric does not name the logical device of the memory (hint gcxlId)' };
      }
      const id = idsOn(node).find((one) => one.toLowerCase() === gcxlId.toLowerCase());
      if (id !== undefined) return { tag: 'identified', deviceId: id };
      return { tag: 'notYet', message: `waiting until a ResourceSlice of node ${node} shows the memory '${gcxlId}'` };
    },
  };
}

/** Node actions for such memory: it is in use when it was allocated to somebody. No command is run. */
export function sliceMemoryActions({
  cache,
  usersOf,
}: SliceMemoryOptions & {
  /** Which claims hold a device that a slice shows. */
  readonly usersOf: (device: NodeDeviceRef) => LoadOutcome;
}): NodeActions {
  const done: NodeOutcome = { tag: 'done' };
  const isShown = ({ node, deviceId }: NodeDeviceRef) =>
    cache.byIndex(SLICE_DEVICE_INDEX, sliceDeviceKey(node, deviceId)).length > 0;
  const find = (device: NodeDeviceRef): Promise<LoadOutcome> =>
    Promise.resolve(isShown(device) ? usersOf(device) : { tag: 'idle' });
  return {
    name: 'memory in slices',
    ensureDriver: () => Promise.resolve(done),
    refresh: () => Promise.resolve(done),
    identify: () => Promise.resolve({ tag: 'notYet', message: 'no command on a node names its memory' }),
    findLoad: find,
    findAllocation: find,
    drain: () => Promise.resolve(done),
  };
}
