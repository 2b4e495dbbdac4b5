import type { Cache } from '@cro/kube-runtime';
import { identifyAmong, type Identity } from './identity.ts';
import type { ResourceSlice, SliceDevice } from './resource-slice.ts';
import { SLICE_NODE_INDEX } from './slice-index.ts';

/** Identity by the ResourceSlices of a DRA driver, without a command on the node. `cache` must have been made with `sliceIndexes`. */
export function sliceIdentity({ cache }: { readonly cache: Cache<ResourceSlice> }): Identity {
  const devicesOn = (node: string): readonly SliceDevice[] =>
    cache.byIndex(SLICE_NODE_INDEX, node).flatMap(({ devices }) => devices.filter(({ isMemory }) => isMemory !== true));
  return {
    shownBy: (node) => (cache.synced ? [...new Set(devicesOn(node).map(({ id }) => id))] : undefined),
    find: (question) => identifyAmong(question, devicesOn(question.node)),
  };
}
