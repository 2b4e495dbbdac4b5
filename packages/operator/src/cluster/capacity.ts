import type { Capacity } from '@cro/allocation-policy';
import type { NodeObject } from '../kinds/node-kind.ts';
import type { PodObject, Quantities } from '../kinds/pod-kind.ts';
import { parseQuantity } from './quantity.ts';

/** By Node as a cache holds it, which never changes: every request that is placed asks for that of every node. */
const allocatable = new WeakMap<NodeObject, Capacity>();

/** What a node lets its pods take in all. */
export function allocatableOf(node: NodeObject): Capacity {
  const known = allocatable.get(node);
  if (known !== undefined) return known;
  const read = capacityOf(node.allocatable, parseQuantity(node.allocatable['pods']));
  allocatable.set(node, read);
  return read;
}

/** What is left of it beside the pods that are there. */
export function freeOf(node: NodeObject, pods: readonly PodObject[]): Capacity {
  const all = allocatableOf(node);
  if (pods.length === 0) return all;
  const taken = pods.filter((pod) => !pod.finished && pod.nodeName === node.metadata.name).map(takenBy);
  return {
    milliCpu: all.milliCpu - sum(taken.map((one) => one.milliCpu)),
    memory: all.memory - sum(taken.map((one) => one.memory)),
    ephemeralStorage: all.ephemeralStorage - sum(taken.map((one) => one.ephemeralStorage)),
    pods: all.pods - taken.length,
  };
}

/** A pod takes what its containers request together, or what its largest init container does, as the scheduler counts. */
function takenBy(pod: PodObject): Capacity {
  const running = pod.running.map((requests) => capacityOf(requests, 0));
  const starting = pod.starting.map((requests) => capacityOf(requests, 0));
  const most = (pick: (one: Capacity) => number) => Math.max(sum(running.map(pick)), ...starting.map(pick));
  return {
    milliCpu: most((one) => one.milliCpu),
    memory: most((one) => one.memory),
    ephemeralStorage: most((one) => one.ephemeralStorage),
    pods: 1,
  };
}

function capacityOf(quantities: Quantities, pods: number): Capacity {
  return {
    milliCpu: Math.round(parseQuantity(quantities['cpu']) * 1000),
    memory: parseQuantity(quantities['memory']),
    ephemeralStorage: parseQuantity(quantities['ephemeral-storage']),
    pods,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
