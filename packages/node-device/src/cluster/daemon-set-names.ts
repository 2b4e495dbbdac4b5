import type { Cache } from '@cro/kube-runtime';
import type { NodePod } from './kinds/node-pod.ts';

/** What offers a node's GPUs to pods, as the GPU Operator names it. */
export const DEVICE_PLUGIN = 'nvidia-device-plugin-daemonset';

/** The DaemonSets that look only at their start which GPUs a node has: what offers them, and what counts them for monitors. */
export const DAEMON_SETS = [DEVICE_PLUGIN, 'nvidia-dcgm'] as const;

/** One of them. */
export type DaemonSetName = (typeof DAEMON_SETS)[number];

/** The pods of each, watched with `nodePodIndexes`. */
export type DaemonCaches = Readonly<Record<DaemonSetName, Cache<NodePod>>>;

/** The label of their pods, as the GPU Operator sets it. */
export function podLabelOf(name: DaemonSetName): string {
  return `app=${name}`;
}
