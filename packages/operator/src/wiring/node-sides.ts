import type { DeviceType } from '@cro/crd-types';
import type { KubeClient } from '@cro/kube-runtime';
import {
  capacityIdentity,
  capacityVisibility,
  memoryActions,
  noFence,
  sliceIdentity,
  sliceVisibility,
  type Fence,
  type NodeActions,
  type NodeSide,
} from '@cro/node-device';
import { nodeMemory } from '../cluster/node-memory.ts';
import type { Watched } from './watch.ts';

/** What the node sides are made of. */
export interface NodeSidesOptions {
  readonly client: KubeClient;
  readonly watched: Pick<Watched, 'nodes' | 'resources' | 'slices'>;
  /** Keeps new pods from devices that are scheduled by ResourceSlices. */
  readonly fence: Fence;
  /** For GPUs. */
  readonly actions: NodeActions;
}

/** By type of device: the one place where it is decided how a device of that type is dealt with on its node. */
export type NodeSides = Readonly<Record<DeviceType, NodeSide>>;

/** Wires both. */
export function wireNodeSides({ client, watched, fence, actions }: NodeSidesOptions): NodeSides {
  const { slices: cache } = watched;
  const ledger = nodeMemory({ client, ...watched });
  return {
    gpu: { visibility: sliceVisibility({ cache }), identity: sliceIdentity({ cache }), actions, fence },
    cxlmemory: {
      visibility: capacityVisibility(ledger),
      identity: capacityIdentity(ledger),
      actions: memoryActions(ledger),
      // Nothing but a cordon keeps pods from a node's memory, and cordoning nodes is not the operator's business.
      fence: noFence,
    },
  };
}
