import type { Cache } from '@cro/kube-runtime';
import { identifyAmong, type Identity, type ShownDevice } from './identity.ts';
import type { ResourceSlice } from './resource-slice.ts';
import { SLICE_NODE_INDEX } from './slice-index.ts';

/** Identity by the ResourceSlices of a DRA driver, without a command on the node. `cache` must have been made with `sliceIndexes`. */
export function sliceIdentity({ cache }: { readonly cache: Cache<ResourceSlice> }): Identity {
  const devicesOn = (node: string): readonly ShownDevice[] => {
    const slices = cache.byIndex(SLICE_NODE_INDEX, node);
    // A GPU that is cut up may have no entry of its own. What tells more of it comes last, and counts.
    return [
      ...slices.flatMap(({ partitions }) =>
        partitions.map(({ of, model }) => ({ id: of, ...(model !== undefined && { model }) })),
      ),
      ...slices.flatMap(({ devices }) => devices.filter(({ isMemory }) => isMemory !== true)),
    ];
  };
  return {
    shownBy: (node) => (cache.synced ? [...new Set(devicesOn(node).map(({ id }) => id))] : undefined),
    find: (question) => identifyAmong(question, devicesOn(question.node)),
  };
}
