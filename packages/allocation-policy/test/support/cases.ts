import type { ScalarResourceDetails } from '@cro/crd-types';
import type { Capacity, Child, NodeSnapshot, Plan, PlanInput } from '../../src/index.ts';
import { plan } from '../../src/index.ts';

export const MODEL = 'NVIDIA-A100-PCIE-80GB';
export const GI = 2 ** 30;

export function capacity(cores: number, memoryGi: number, storageGi: number, pods: number): Capacity {
  return { milliCpu: cores * 1000, memory: memoryGi * GI, ephemeralStorage: storageGi * GI, pods };
}

/** A node that passes every filter, with the same amounts free as allocatable unless told otherwise. */
export function node(name: string, size: Capacity = capacity(8, 16, 512, 100), more: Partial<NodeSnapshot> = {}) {
  const snapshot: NodeSnapshot = {
    name,
    ready: true,
    schedulable: true,
    machine: `machine-of-${name}`,
    allocatable: size,
    free: size,
    composedDevices: 0,
    freeOnFabric: 'yes',
    usedBy: [],
    ...more,
  };
  return snapshot;
}

/** The eight nodes of the Go operator's tests. */
export const NODES: readonly NodeSnapshot[] = [
  node('worker-0'),
  node('worker-1', capacity(2, 16, 512, 100)),
  node('worker-2', capacity(8, 4, 512, 100)),
  node('worker-3', capacity(8, 16, 128, 100)),
  node('worker-4', capacity(8, 16, 512, 20)),
  node('worker-5'),
  node('worker-6', capacity(32, 64, 2048, 100)),
  node('worker-7', capacity(32, 64, 2048, 100)),
];

/** A child that is Online and matches {@link request}. */
export function child(name: string, onNode: string, more: Partial<Child> = {}): Child {
  return {
    name,
    node: onNode,
    state: 'Online',
    created: true,
    type: 'gpu',
    model: MODEL,
    forceDetach: false,
    hasDevice: true,
    failing: false,
    deleteAnnotated: false,
    lastUsedMs: 0,
    ...more,
  };
}

/** Two GPUs on one node, changed by `more`. */
export function request(more: Partial<ScalarResourceDetails> = {}): ScalarResourceDetails {
  return { type: 'gpu', model: MODEL, size: 2, ...more };
}

/** Plans for the request named `mine`. */
export function planFor(
  resource: ScalarResourceDetails,
  children: readonly Child[] = [],
  nodes: readonly NodeSnapshot[] = countDevices(NODES, children),
): Plan {
  const input: PlanInput = { requestName: 'mine', resource, children, nodes };
  return plan(input);
}

/** The nodes with `composedDevices` raised by what `children` have there. */
export function countDevices(nodes: readonly NodeSnapshot[], children: readonly Child[]): readonly NodeSnapshot[] {
  return nodes.map((each) => ({
    ...each,
    composedDevices: each.composedDevices + children.filter((one) => one.node === each.name).length,
  }));
}
