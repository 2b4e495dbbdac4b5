import type { Api } from '../api.ts';
import type { Driver } from '../driver.ts';
import type { Host } from '../model/host/host.ts';
import { setNodeResource } from '../node-client.ts';
import type { PodTemplate } from '../pods/pod-template.ts';
import type { RetryHost } from '../retry.ts';
import { DaemonSet } from './daemon-set.ts';
import type { WatchedApi } from './follow.ts';
import type { DaemonSetSpec } from './daemon-set-spec.ts';

/** What a node's daemons work with. */
export interface DaemonNode {
  readonly driver: Driver;
  readonly host: Host;
}

/** What the DaemonSets of all nodes need. */
export interface DaemonSetsOptions {
  readonly api: Api;
  readonly host: RetryHost;
  readonly specs: readonly DaemonSetSpec[];
  readonly restartMs: number;
  /** What a pod has published, while its successor is not ready yet. */
  readonly meanwhile: 'stale' | 'absent';
  readonly nodeOf: (name: string) => DaemonNode | undefined;
}

/** The resource by which a device plugin offers GPUs. */
const GPU_RESOURCE = 'nvidia.com/gpu';

/** The DaemonSets that publish what a node has. */
export class DaemonSets {
  readonly #options: DaemonSetsOptions;
  readonly #sets = new Map<string, DaemonSet>();

  constructor(options: DaemonSetsOptions) {
    this.#options = options;
    const { host, restartMs, specs } = options;
    if (specs.length === 0) return;
    const api = watched(options.api);
    for (const spec of specs) {
      const ready = (node: string) => this.#publish(node, spec, true);
      const ended = (node: string) => this.#publish(node, spec, false);
      this.#sets.set(spec.name, new DaemonSet({ api, host, spec, restartMs, ready, ended }));
    }
  }

  /** Gives a node the pods of all of them. */
  async addNode(node: string): Promise<void> {
    for (const set of this.#sets.values()) await set.addNode(node);
  }

  /** Takes a node's pods away. */
  async removeNode(node: string): Promise<void> {
    for (const set of this.#sets.values()) await set.removeNode(node);
  }

  /** How many times the pod of a node came anew. Throws when there is no such DaemonSet. */
  restarts(daemonSet: string, node: string): number {
    return this.#set(daemonSet).restarts(node);
  }

  /** The pod of that name, by its node and what it is made from, once its containers run. */
  runs(namespace: string, pod: string): { readonly node: string; readonly template: PodTemplate } | undefined {
    for (const template of this.#options.specs) {
      const node = template.namespace === namespace ? this.#set(template.name).nodeOf(pod) : undefined;
      if (node !== undefined) return { node, template };
    }
    return undefined;
  }

  /** Keeps the pod of a node from being ready, and its successors, or lets them be. Throws when there is no such DaemonSet. */
  async setReady(daemonSet: string, node: string, ready: boolean): Promise<void> {
    await this.#set(daemonSet).setReady(node, ready);
  }

  #set(name: string): DaemonSet {
    const set = this.#sets.get(name);
    if (set === undefined) throw new Error(`there is no DaemonSet ${name}`);
    return set;
  }

  #publish(name: string, { publishes }: DaemonSetSpec, isReady: boolean): Promise<void> {
    const { api, host, meanwhile, nodeOf } = this.#options;
    const node = nodeOf(name);
    if (node === undefined || publishes === undefined || (!isReady && meanwhile === 'stale')) return Promise.resolve();
    switch (publishes) {
      case 'slice':
        if (isReady) node.driver.restarted(node.host.found);
        else node.driver.setUp(false);
        return Promise.resolve();
      case 'capacity':
        return setNodeResource(api, host, name, GPU_RESOURCE, String(isReady ? node.host.found.length : 0));
    }
  }
}

function watched(api: Api): WatchedApi {
  if (!canWatch(api)) throw new Error('DaemonSets need an `api` that has `watch`');
  return api;
}

function canWatch(api: Api): api is WatchedApi {
  return api.watch !== undefined;
}
