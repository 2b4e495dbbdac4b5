import type { Clock } from '@cro/clock';
import { fieldIs, type KubeClient } from '@cro/kube-runtime';
import type { NodeDeviceRef, WantedVisibility } from '../node-actions.ts';
import type { NodeOutcome } from '../outcomes.ts';
import { DEVICE_PLUGIN, podLabelOf, type DaemonCaches } from './daemon-set-names.ts';
import { ageMs, isLeaving, nodePodKind, POD_NODE_INDEX, type NodePod } from './kinds/node-pod.ts';
import { isGrown } from './pod-renewal.ts';
import type { RestartRequest } from './restart-schedule.ts';
import { problemOf } from './unread.ts';

/** What knowing the pods of the device plugin needs. */
export interface PluginPodsOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly daemons: DaemonCaches;
  /** Where they are. */
  readonly gpuOperatorNamespace: string;
}

/** Somebody who waits until the device plugin has looked on a node. */
export interface PluginRequest extends RestartRequest {
  readonly node: string;
  /** Since when, on the monotonic clock. */
  readonly sinceMs: number;
  /** The uids of the pods that may not have seen yet what came or left. */
  readonly old: ReadonlySet<string>;
}

type Failed = Extract<NodeOutcome, { readonly tag: 'failed' }>;

/** The pods that may have looked before a device came or left, by their uids. */
interface Asked {
  /** Which device of which node. */
  readonly device: string;
  readonly wanted: WantedVisibility;
  readonly old: ReadonlySet<string>;
}

/** How old a pod of the plugin is, in milliseconds, when its Node certainly says what it offers: its kubelet writes that each 10 s. */
export const PLUGIN_TOLD_MS = 15_000;

/** Finds out whether the device plugin of a node has looked since a device came or left: a pod of it that was there then has not. */
export class PluginPods {
  readonly #options: PluginPodsOptions;
  /**
   * What could not be brought about so far, by the ComposableResource for which: who asks again is not content with less, and does not ask
   * for more. It is that resource's alone: when its device comes again for another one, the pods of that moment have to look.
   */
  readonly #unfinished = new Map<string, Asked>();
  #isSeen = false;

  constructor(options: PluginPodsOptions) {
    this.#options = options;
  }

  /** Whether the pods of the device plugin are not known as such: they have another label. */
  areUnseen(): boolean {
    this.#isSeen ||= this.#options.daemons[DEVICE_PLUGIN].list().length > 0;
    return !this.#isSeen;
  }

  /** Why the Node may still say what an earlier pod of the plugin has offered, for a person; undefined: there is no such reason. */
  unsettledOn(node: string): string | undefined {
    if (this.areUnseen()) return undefined;
    const pods = this.#options.daemons[DEVICE_PLUGIN].byIndex(POD_NODE_INDEX, node);
    if (pods.some((pod) => pod.ready && !isLeaving(pod) && ageMs(pod, this.#options.clock) >= PLUGIN_TOLD_MS))
      return undefined;
    return `the device plugin on node ${node} was restarted a moment ago or is not ready: how many GPUs it offers is not known yet`;
  }

  /** Calls `renew` unless the pods of the node are new already. Rejects when `signal` aborts. */
  async untilNew(
    { node, deviceId, resource }: NodeDeviceRef,
    wanted: WantedVisibility,
    signal: AbortSignal,
    renew: (request: PluginRequest, signal: AbortSignal) => Promise<NodeOutcome>,
  ): Promise<NodeOutcome> {
    const device = `${node}/${deviceId}`;
    const before = this.#unfinished.get(resource);
    const isSame = before?.wanted === wanted && before.device === device;
    const old = isSame ? before.old : await this.#podsOn(node);
    if ('tag' in old) return old;
    this.#unfinished.delete(resource);
    const { daemons, clock } = this.#options;
    const request: PluginRequest = {
      ...{ node, place: node, sinceMs: clock.monotonic(), old },
      isDone: () => !this.areUnseen() && this.#isNew(node, wanted, old),
      onChange: (look) => daemons[DEVICE_PLUGIN].subscribe(look),
    };
    const outcome = await renew(request, signal);
    // One that is given up has been forgotten already.
    if (outcome.tag === 'failed' && !signal.aborted) this.#unfinished.set(resource, { device, wanted, old });
    return outcome;
  }

  /** The resource is gone, and what ran for it was given up. */
  forget(resource: string): void {
    this.#unfinished.delete(resource);
  }

  /** Those that have to be replaced for these. One that never gets ready is among them: its container may start again late, or never. */
  toRenew(requests: readonly Pick<PluginRequest, 'node' | 'old'>[]): readonly NodePod[] {
    const { daemons, clock } = this.#options;
    const pods = requests.flatMap(({ node, old }) =>
      daemons[DEVICE_PLUGIN].byIndex(POD_NODE_INDEX, node).filter(({ metadata }) => old.has(metadata.uid)),
    );
    return [...new Set(pods)].filter((pod) => isGrown(pod, clock));
  }

  /** Those that a node has. The watch may be late, and may still show one that has been replaced since. */
  async #podsOn(node: string): Promise<ReadonlySet<string> | Failed> {
    const { client, daemons, gpuOperatorNamespace: namespace } = this.#options;
    const cache = daemons[DEVICE_PLUGIN];
    const unread = problemOf(cache, `pods of namespace ${namespace}`);
    if (unread !== undefined) return { tag: 'failed', failure: unread };
    const selectors = { labelSelector: podLabelOf(DEVICE_PLUGIN), fieldSelector: fieldIs('spec.nodeName', node) };
    const listed = await client.list(nodePodKind, { namespace, ...selectors });
    if (listed.tag === 'failed') {
      const message = `the pods of the device plugin on node ${node} could not be listed: ${listed.error.message}`;
      return { tag: 'failed', failure: { kind: 'Unreachable', message } };
    }
    return new Set([...listed.objects, ...cache.byIndex(POD_NODE_INDEX, node)].map(({ metadata }) => metadata.uid));
  }

  /** For a device that left it is enough that those who may have seen it are gone. */
  #isNew(node: string, wanted: WantedVisibility, old: ReadonlySet<string>): boolean {
    const pods = this.#options.daemons[DEVICE_PLUGIN].byIndex(POD_NODE_INDEX, node);
    if (pods.some(({ metadata }) => old.has(metadata.uid))) return false;
    if (wanted === 'absent' || pods.some((pod) => pod.ready && !isLeaving(pod))) return true;
    // Where it does not run nobody offers anything, and it looks when it comes.
    return pods.length === 0 && old.size === 0;
  }
}
