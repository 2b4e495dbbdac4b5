import type { KubeClient } from '@cro/kube-runtime';
import type { NodeDeviceRef } from '../node-actions.ts';
import type { LoadOutcome } from '../outcomes.ts';
import { gpuCounts, gpuPodKind, sumOf, type GpuPod } from './kinds/gpu-pod.ts';
import { named } from './named.ts';

/** What a node offers its pods. */
export interface GpuSupply {
  /** `status.allocatable` of the Node. */
  readonly allocatable: Readonly<Record<string, string>>;
  /** How many other GPUs are on their way off the node, which that may still count. */
  readonly leaving: number;
}

/** What finding the pods needs. */
export interface PodUserSources {
  readonly client: KubeClient;
  /** What the node offers, as far as it is known. */
  readonly supplyOf: (device: NodeDeviceRef) => GpuSupply;
}

/** A GPU can be cut into no more MIG devices, and nothing says into how many this one is. */
const MOST_MIG_DEVICES = 7;

/**
 * Finds the pods that would have too few GPUs without this one. Nothing in the API tells which GPU a pod got, so it is in use when
 * the node's pods request more than what is left without it; who really has it open is found out on the node.
 */
export async function podsOn(device: NodeDeviceRef, { client, supplyOf }: PodUserSources): Promise<LoadOutcome> {
  const listed = await client.list(gpuPodKind, { fieldSelector: `spec.nodeName=${device.node}` });
  if (listed.tag === 'failed') {
    const isForbidden = listed.error.status === 403;
    const message = `the pods of node ${device.node} could not be listed to see who uses its GPUs: ${listed.error.message}`;
    return { tag: 'failed', failure: { kind: isForbidden ? 'Blocked' : 'Unreachable', message } };
  }
  const { allocatable, leaving } = supplyOf(device);
  const offered = gpuCounts(allocatable, 0);
  const requested = sumOf(listed.objects.map(({ gpus }) => gpus));
  const short = [...requested].filter(([name, count]) => {
    const taken = (leaving + 1) * (name === 'nvidia.com/gpu' ? 1 : MOST_MIG_DEVICES);
    return count > 0 && count > (offered.get(name) ?? 0) - taken;
  });
  if (short.length === 0) return { tag: 'idle' };
  const users = short.flatMap(([name]) => listed.objects.filter(({ gpus }) => (gpus.get(name) ?? 0) > 0).map(words));
  return { tag: 'inUse', by: named([...new Set(users)]) };
}

function words({ metadata: { namespace = '', name } }: GpuPod): string {
  return `pod ${namespace}/${name}`;
}
