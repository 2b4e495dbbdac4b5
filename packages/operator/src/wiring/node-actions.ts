import type { Log } from '@cro/cdi-core';
import type { Clock } from '@cro/clock';
import type { Access, Cache, KubeClient } from '@cro/kube-runtime';
import type { Exec } from '@cro/kube-runtime/exec';
import {
  draNodeCluster,
  NodeLooks,
  noNodeActions,
  nvidiaActions,
  nvidiaDraAccess,
  watchDra,
  watchDrivers,
  type DraWatches,
  type DriverWatches,
  type NodeActions,
  type NodeNamespaces,
  type ResourceSlice,
  type WatchBase,
} from '@cro/node-device';
import type { NodeObject } from '../kinds/node-kind.ts';

/** What is done on nodes when a device comes or goes. `none`: nothing, their own software notices. */
export type NodeActionsConfig =
  | { readonly tag: 'none' }
  | (Omit<NodeNamespaces, 'namespace'> & {
      readonly tag: 'nvidia';
      /** How long a DRA driver may take to publish by itself what came or left, before it is restarted, in milliseconds. */
      readonly publishWaitMs: number;
    });

/** What is watched for them. */
export interface NodeWatches extends DriverWatches, DraWatches {
  readonly namespaces: NodeNamespaces;
  readonly publishWaitMs: number;
}

/** What they ask of the API server. */
export function nodeActionsAccess(config: NodeActionsConfig, namespace: string): readonly Access[] {
  return config.tag === 'none' ? [] : nvidiaDraAccess({ ...config, namespace });
}

/** Starts what is watched for them, and nothing where there are none. */
export function watchForNodeActions(
  config: NodeActionsConfig,
  namespace: string,
  base: WatchBase,
): NodeWatches | undefined {
  if (config.tag === 'none') return undefined;
  const namespaces = { ...config, namespace };
  const { publishWaitMs } = config;
  return { namespaces, publishWaitMs, ...watchDrivers(base, namespaces), ...watchDra(base, namespaces) };
}

/** Resolves when all of it has been read that may be read, and that there is. */
export async function nodeWatchesRead(watches: NodeWatches | undefined, signal: AbortSignal): Promise<void> {
  if (watches === undefined) return;
  const { drivers, agents, policies, plugins, claims } = watches;
  await Promise.all([drivers, agents, policies, plugins, claims].map((cache) => cache.whenSynced(signal)));
}

/** What node actions need of the operator. */
export interface NodeActionsOptions {
  readonly watches: NodeWatches | undefined;
  readonly slices: Cache<ResourceSlice>;
  readonly nodes: Cache<NodeObject>;
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly exec: Exec;
  readonly log: Log;
  /** Whether the lease is certainly still held. */
  readonly leading: () => boolean;
}

/** Wires the node actions. */
export function wireNodeActions({ watches, nodes, leading, exec, ...options }: NodeActionsOptions): NodeActions {
  const { clock, log } = options;
  if (watches === undefined) return noNodeActions(log);
  const hasGpuLabel = (node: string) => nodes.get(node)?.hasGpuLabel ?? false;
  const cluster = draNodeCluster({ ...options, ...watches, ...watches.namespaces, hasGpuLabel });
  return nvidiaActions({
    ...{ cluster, clock, log },
    exec: execWhileLeading(exec, leading),
    looks: new NodeLooks(),
    seenIn: 'slices',
  });
}

/** As `whileLeading`: nothing runs on a node once the lease is not certainly held. */
function execWhileLeading(exec: Exec, leading: () => boolean): Exec {
  return (request) =>
    leading()
      ? exec(request)
      : Promise.resolve({ tag: 'unreachable', message: 'the lease is not certainly held any more: nothing is sent' });
}
