import type { Failure, FailureKind } from '@cro/crd-types';
import type { Clock } from '@cro/clock';
import type { Cache, KubeClient } from '@cro/kube-runtime';
import type { NodeOutcome } from '../outcomes.ts';
import { isLeaving, nodePodKind, POD_NODE_INDEX, type NodePod } from './kinds/node-pod.ts';
import { problemOf } from './unread.ts';

/** What restarting the DRA driver's kubelet plugin needs. */
export interface PluginRestartOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** Pods of the DRA driver, watched with `nodePodIndexes`. */
  readonly plugins: Cache<NodePod>;
  /** Where they are, for messages. */
  readonly draDriverNamespace: string;
}

/** NVIDIA's Helm chart names the DaemonSet after its release and this. */
const NAME_PREFIX = 'dra-driver-nvidia-gpu-kubelet-plugin';
/** A pod that is younger has just looked which devices there are, or is about to. */
const YOUNG_MS = 10_000;

const DONE: NodeOutcome = { tag: 'done' };

/**
 * Deletes the pods of a node's kubelet plugin, so that its DaemonSet makes new ones, which look which devices the node has. A pod that is
 * starting, leaving, or has just come is left alone.
 */
export async function restartPlugin(node: string, options: PluginRestartOptions): Promise<NodeOutcome> {
  const unread = problemOf(options.plugins, `pods of namespace ${options.draDriverNamespace}`);
  if (unread !== undefined) return { tag: 'failed', failure: unread };
  const pods = options.plugins
    .byIndex(POD_NODE_INDEX, node)
    .filter(({ metadata }) => metadata.name.startsWith(NAME_PREFIX));
  if (pods.length === 0) return noPlugin(node, options);
  for (const pod of pods.filter((one) => isSettled(one, options.clock))) {
    const outcome = await remove(pod, options);
    if (outcome.tag !== 'done') return outcome;
  }
  return DONE;
}

function isSettled(pod: NodePod, clock: Clock): boolean {
  const created = Date.parse(pod.metadata.creationTimestamp ?? '');
  const isYoung = !Number.isNaN(created) && clock.now() - created < YOUNG_MS;
  return pod.ready && !isLeaving(pod) && !isYoung;
}

async function remove({ metadata }: NodePod, { client }: PluginRestartOptions): Promise<NodeOutcome> {
  const { name, namespace = '', uid } = metadata;
  const outcome = await client.delete(nodePodKind, { name, namespace }, { uid });
  switch (outcome.tag) {
    case 'done':
    case 'notFound':
    case 'conflict':
      // A conflict means another uid: it has been replaced already.
      return DONE;
    case 'refused':
    case 'unknown': {
      const isForbidden = outcome.error.status === 403;
      const toDo = isForbidden ? `: grant delete of pods in namespace ${namespace} (deploy/rbac)` : '';
      return failed(
        isForbidden ? 'Blocked' : 'Unreachable',
        `restarting pod ${namespace}/${name}, which publishes the node's GPUs, failed: ${outcome.error.message}${toDo}`,
      );
    }
  }
}

function noPlugin(node: string, { draDriverNamespace }: PluginRestartOptions): NodeOutcome {
  return failed(
    'Blocked',
    `node ${node} has no pod ${NAME_PREFIX}-* in namespace ${draDriverNamespace}, so nobody publishes its GPUs: look at NVIDIA's DRA driver; if it runs in another namespace, set CRO_DRA_DRIVER_NAMESPACE`,
  );
}

function failed(kind: FailureKind, message: string): { readonly tag: 'failed'; readonly failure: Failure } {
  return { tag: 'failed', failure: { kind, message } };
}
