import type { Failure, FailureKind } from '@cro/crd-types';
import type { Cache } from '@cro/kube-runtime';
import type { NodeOutcome } from '../outcomes.ts';
import { POD_NODE_INDEX, type NodePod } from './kinds/node-pod.ts';
import { isSettled, renewPods, type PodRenewalOptions } from './pod-renewal.ts';
import { problemOf } from './unread.ts';

/** What restarting the DRA driver's kubelet plugin needs. */
export interface PluginRestartOptions extends PodRenewalOptions {
  /** Pods of the DRA driver, watched with `nodePodIndexes`. */
  readonly plugins: Cache<NodePod>;
  /** Where they are, for messages. */
  readonly draDriverNamespace: string;
}

/** NVIDIA's Helm chart names the DaemonSet after its release and this. */
const NAME_PREFIX = 'dra-driver-nvidia-gpu-kubelet-plugin';

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
  return renewPods(
    pods.filter((pod) => isSettled(pod, options.clock)),
    options,
  );
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
