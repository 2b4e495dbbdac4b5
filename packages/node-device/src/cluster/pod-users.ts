import { fieldIs, type KubeClient } from '@cro/kube-runtime';
import type { NodeDeviceRef } from '../node-actions.ts';
import type { LoadOutcome } from '../outcomes.ts';
import { gpuCounts, gpuPodKind, sumOf, type GpuCounts, type GpuPod } from './kinds/gpu-pod.ts';
import { named } from './named.ts';
import type { PluginPods } from './plugin-pods.ts';

/** What a node offers its pods. */
export interface GpuSupply {
  /** `status.allocatable` of the Node. */
  readonly allocatable: Readonly<Record<string, string>>;
  /** How many other GPUs are certainly on their way off the node, which that may still count. */
  readonly leaving: number;
  /** The other GPUs that are to leave it, and may still be found in use. */
  readonly detaching: readonly Pick<NodeDeviceRef, 'resource' | 'deviceId'>[];
}

/** What finding the pods needs. */
export interface PodUserSources {
  readonly client: KubeClient;
  /** What the node offers, as far as it is known. */
  readonly supplyOf: (device: NodeDeviceRef) => GpuSupply;
}

interface Idle {
  readonly node: string;
  /** Those that requested GPUs there. */
  readonly pods: readonly GpuPod[];
}

/** A GPU can be cut into no more MIG devices, and nothing says into how many this one is. */
const MOST_MIG_DEVICES = 7;

/**
 * Finds the pods that would have too few GPUs without one of them. Nothing in the API tells which GPU a pod got, so it is in use when
 * the node's pods request more than what is left without it; who really has it open is found out on the node.
 */
export class PodUsers {
  readonly #sources: PodUserSources;
  readonly #plugins: Pick<PluginPods, 'unsettledOn'>;
  /**
   * What was found idle here is on its way off its node, and none of its pods' any more: by name of the ComposableResource, until it is found in
   * use after all. Not known after a restart; what was drained by then the node itself tells.
   */
  readonly #idle = new Map<string, Idle>();

  constructor(sources: PodUserSources, plugins: Pick<PluginPods, 'unsettledOn'>) {
    this.#sources = sources;
    this.#plugins = plugins;
  }

  /** Finds those of one device. One that is idle counts as leaving from the same moment on: two that ask at once cannot both have been spare. */
  async of(device: NodeDeviceRef): Promise<LoadOutcome> {
    const listed = await this.#sources.client.list(gpuPodKind, {
      fieldSelector: fieldIs('spec.nodeName', device.node),
    });
    if (listed.tag === 'failed') {
      const isForbidden = listed.error.status === 403;
      const message = `the pods of node ${device.node} could not be listed to see who uses its GPUs: ${listed.error.message}`;
      return { tag: 'failed', failure: { kind: isForbidden ? 'Blocked' : 'Unreachable', message } };
    }
    const pods = listed.objects.filter(({ gpus }) => gpus.size > 0);
    const unsettled = this.#plugins.unsettledOn(device.node);
    if (pods.length === 0 || unsettled === undefined) return this.#judge(device, pods, () => true);
    this.#idle.delete(device.resource);
    return { tag: 'inUse', by: `perhaps ${named(pods.map(words))} (${unsettled})` };
  }

  /** Takes in how the look on the node ended: what is in use there stays, and what is there no more leaves fewer for the others. */
  looked(device: NodeDeviceRef, outcome: LoadOutcome, shows: (deviceId: string) => boolean): LoadOutcome {
    const idle = this.#idle.get(device.resource);
    if (outcome.tag === 'idle' && idle !== undefined) return this.#judge(device, idle.pods, shows);
    this.#idle.delete(device.resource);
    return outcome;
  }

  /** The resource is gone. */
  forget(resource: string): void {
    this.#idle.delete(resource);
  }

  #judge(device: NodeDeviceRef, pods: readonly GpuPod[], shows: (deviceId: string) => boolean): LoadOutcome {
    const { node, resource } = device;
    const { allocatable, leaving, detaching } = this.#sources.supplyOf(device);
    this.#forgetWhoLeft(node, detaching);
    const gone = detaching.filter((other) => this.#idle.has(other.resource) || !shows(other.deviceId));
    const users = shortOf(pods, gpuCounts(allocatable, 0), leaving + gone.length + 1);
    if (users.length > 0) {
      this.#idle.delete(resource);
      return { tag: 'inUse', by: named(users) };
    }
    this.#idle.set(resource, { node, pods });
    return { tag: 'idle' };
  }

  #forgetWhoLeft(node: string, detaching: GpuSupply['detaching']): void {
    const there = new Set(detaching.map(({ resource }) => resource));
    for (const [name, idle] of this.#idle) if (idle.node === node && !there.has(name)) this.#idle.delete(name);
  }
}

/** The pods that request a resource of which a node has too few without `taken` GPUs. */
function shortOf(pods: readonly GpuPod[], offered: GpuCounts, taken: number): readonly string[] {
  const short = [...sumOf(pods.map(({ gpus }) => gpus))].filter(([name, count]) => {
    const lost = taken * (name === 'nvidia.com/gpu' ? 1 : MOST_MIG_DEVICES);
    return count > 0 && count > (offered.get(name) ?? 0) - lost;
  });
  return [...new Set(short.flatMap(([name]) => pods.filter(({ gpus }) => (gpus.get(name) ?? 0) > 0).map(words)))];
}

function words({ metadata: { namespace = '', name } }: GpuPod): string {
  return `pod ${namespace}/${name}`;
}
