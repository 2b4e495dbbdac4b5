import { watchAccess, watchKind, type Access, type Cache } from '@cro/kube-runtime';
import { podLabelOf, type DaemonCaches, type DaemonSetName } from './daemon-set-names.ts';
import type { WatchBase } from './watch-base.ts';
import { PodEnds } from './pod-ends.ts';
import { clusterPolicyKind, type ClusterPolicy } from './kinds/cluster-policy.ts';
import { nodePodIndexes, nodePodKind, type NodePod } from './kinds/node-pod.ts';
import { claimIndexes, resourceClaimKind, type ResourceClaim } from './kinds/resource-claim.ts';

/** Where the pods are through which drivers are reached. */
export interface DriverNamespaces {
  /** Of the operator, and of the agents. */
  readonly namespace: string;
  /** Of the GPU Operator, and of its drivers. */
  readonly gpuOperatorNamespace: string;
}

/** Where the pods are that work for nodes, with DRA. */
export interface NodeNamespaces extends DriverNamespaces {
  /** Of NVIDIA's DRA driver. */
  readonly draDriverNamespace: string;
}

/** What is watched to find the drivers. */
export interface DriverWatches {
  readonly drivers: Cache<NodePod>;
  readonly agents: Cache<NodePod>;
  /** Missing where the GPU Operator is not installed. */
  readonly policies: Cache<ClusterPolicy>;
}

/** What is watched besides where devices are scheduled by ResourceSlices. */
export interface DraWatches {
  readonly plugins: Cache<NodePod>;
  readonly claims: Cache<ResourceClaim>;
}

/** What is watched besides where a device plugin offers devices. */
export interface DevicePluginWatches {
  readonly daemons: DaemonCaches;
  readonly podEnds: PodEnds;
}

/** Labels by which the pods are known, as the Go operator does. */
export const POD_LABELS = {
  driver: 'app.kubernetes.io/component=nvidia-driver',
  agent: 'app=cro-node-agent',
  plugin: 'app.kubernetes.io/name=dra-driver-nvidia-gpu',
} as const;

/** What is refused keeps devices from coming and going, which says so, and nothing else: those that are there are looked after. */
const AS_FAR_AS_ALLOWED = { optional: true } as const;

/** Watches the pods and the policy that say where drivers are, and no other pods. */
export function watchDrivers(base: WatchBase, { namespace, gpuOperatorNamespace }: DriverNamespaces): DriverWatches {
  return {
    drivers: watchPods(base, gpuOperatorNamespace, POD_LABELS.driver),
    agents: watchPods(base, namespace, POD_LABELS.agent),
    policies: watchKind(clusterPolicyKind, { ...base, ...AS_FAR_AS_ALLOWED }),
  };
}

/** Watches the plugin's pods, and all ResourceClaims: nothing else says which of them hold devices of a node. */
export function watchDra(base: WatchBase, { draDriverNamespace }: NodeNamespaces): DraWatches {
  return {
    plugins: watchPods(base, draDriverNamespace, POD_LABELS.plugin),
    claims: watchKind(resourceClaimKind, { ...base, ...AS_FAR_AS_ALLOWED, indexes: claimIndexes }),
  };
}

/** Watches the pods of the device plugin and of DCGM, and those that request GPUs where somebody waits for their end. */
export function watchDevicePlugin(base: WatchBase, { gpuOperatorNamespace }: DriverNamespaces): DevicePluginWatches {
  const watch = (name: DaemonSetName) => watchPods(base, gpuOperatorNamespace, podLabelOf(name));
  return {
    daemons: {
      'nvidia-device-plugin-daemonset': watch('nvidia-device-plugin-daemonset'),
      'nvidia-dcgm': watch('nvidia-dcgm'),
    },
    podEnds: new PodEnds(base),
  };
}

function watchPods(base: WatchBase, namespace: string, labelSelector: string): Cache<NodePod> {
  return watchKind(nodePodKind, { ...base, ...AS_FAR_AS_ALLOWED, namespace, labelSelector, indexes: nodePodIndexes });
}

/** What the watches ask of the API server. Who may list pods anywhere, as placement must, learns nothing more by watching them. */
export const driverWatchAccess: readonly Access[] = [
  watchAccess(nodePodKind, { without: 'no driver and no agent is found on any node', need: 'optional' }),
  watchAccess(clusterPolicyKind, { without: 'nobody knows whether drivers are in containers', need: 'optional' }),
];

/** The same, with DRA. */
export const draWatchAccess: readonly Access[] = [
  watchAccess(resourceClaimKind, {
    without: 'nobody knows which pods have a device, and none leaves',
    need: 'optional',
  }),
];
