import type { DeviceType } from '@cro/crd-types';
import type { KubeClient } from '@cro/kube-runtime';
import {
  capacityIdentity,
  capacityVisibility,
  claimsOn,
  memoryActions,
  noFence,
  sliceMemoryActions,
  sliceMemoryIdentity,
  sliceVisibility,
  type Fence,
  type LoadOutcome,
  type NodeDeviceRef,
  type NodeSide,
} from '@cro/node-device';
import { nodeMemory } from '../cluster/node-memory.ts';
import type { GpuSide } from './gpu-side.ts';
import type { NodeWatches } from './node-actions.ts';
import type { Watched } from './watch.ts';

/** What the node sides are made of. */
export interface NodeSidesOptions {
  readonly client: KubeClient;
  readonly watched: Pick<Watched, 'nodes' | 'resources' | 'nodeWatches'>;
  /** Keeps new pods from devices that are scheduled by ResourceSlices. */
  readonly fence: Fence;
  readonly gpu: GpuSide;
}

/** By type of device: the one place where it is decided how a device of that type is dealt with on its node. */
export type NodeSides = Readonly<Record<DeviceType, NodeSide>>;

/** Wires both. */
export function wireNodeSides(options: NodeSidesOptions): NodeSides {
  const { client, watched, fence, gpu } = options;
  const { nodeWatches } = watched;
  const isPublished = nodeWatches.tag !== 'devicePlugin' && nodeWatches.sliceDrivers.memory !== undefined;
  const cxlmemory = isPublished ? bySlices(nodeWatches, fence) : byCapacity({ client, watched });
  return { gpu: { ...gpu, fence }, cxlmemory };
}

function byCapacity({ client, watched }: Pick<NodeSidesOptions, 'client' | 'watched'>): NodeSide {
  const ledger = nodeMemory({ client, ...watched });
  return {
    visibility: capacityVisibility(ledger),
    identity: capacityIdentity(ledger),
    actions: memoryActions(ledger),
    // Nothing but a cordon keeps pods from a node's memory, and cordoning nodes is not the operator's business.
    fence: noFence,
  };
}

function bySlices(watches: Exclude<NodeWatches, { readonly tag: 'devicePlugin' }>, fence: Fence): NodeSide {
  const { slices, sliceDrivers } = watches;
  // Without node actions nobody looks who uses a device, as with GPUs.
  const usersOf = (device: NodeDeviceRef): LoadOutcome =>
    watches.tag === 'none' ? { tag: 'idle' } : claimsOn(device, { slices, sliceDrivers, claims: watches.claims });
  return {
    visibility: sliceVisibility({ cache: slices, sliceDrivers }),
    identity: sliceMemoryIdentity({ cache: slices }),
    actions: sliceMemoryActions({ cache: slices, usersOf }),
    fence,
  };
}
