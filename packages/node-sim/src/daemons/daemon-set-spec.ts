import type { PodTemplate } from '../pods/pod-template.ts';

/**
 * A DaemonSet, whose pods come back when they are deleted, or when the annotation `kubectl.kubernetes.io/restartedAt` of its pod template
 * changes. `publishes`: what a new pod of it does when it is ready. `slice`: it publishes the GPUs that the driver has by then as
 * ResourceSlice. `capacity`: as the node's `nvidia.com/gpu`.
 */
export interface DaemonSetSpec extends PodTemplate {
  readonly publishes?: 'slice' | 'capacity';
}

/** The kubelet plugin of NVIDIA's DRA driver, as its Helm chart installs it. */
export const DRA_PLUGIN: DaemonSetSpec = {
  namespace: 'dra-driver-nvidia-gpu',
  name: 'dra-driver-nvidia-gpu-kubelet-plugin',
  labels: { 'app.kubernetes.io/name': 'dra-driver-nvidia-gpu' },
  containers: ['gpus'],
  publishes: 'slice',
};

/** NVIDIA's device plugin, as the GPU Operator installs it. */
export const DEVICE_PLUGIN: DaemonSetSpec = {
  namespace: 'gpu-operator',
  name: 'nvidia-device-plugin-daemonset',
  labels: { app: 'nvidia-device-plugin-daemonset' },
  containers: ['nvidia-device-plugin'],
  publishes: 'capacity',
};

/** NVIDIA's DCGM, as the GPU Operator installs it. */
export const DCGM: DaemonSetSpec = {
  namespace: 'gpu-operator',
  name: 'nvidia-dcgm',
  labels: { app: 'nvidia-dcgm' },
  containers: ['nvidia-dcgm-ctr'],
};

/** Set by `kubectl rollout restart`, and by whoever does the same. */
export const RESTARTED_AT = 'kubectl.kubernetes.io/restartedAt';

/** The DaemonSet as it is created. */
export function daemonSetObject({ namespace, name, labels, containers }: DaemonSetSpec) {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace, labels },
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: containers.map((container) => ({ name: container, image: `simulated.invalid/${container}` })),
        },
      },
    },
  };
}

/** What its controller knows of a DaemonSet. */
export interface DaemonSetCounts {
  /** The `metadata.generation` that it has seen. */
  readonly generation: number;
  /** On how many nodes it runs. */
  readonly nodes: number;
  /** In how many pods it is ready, and how many pods are of the present template. */
  readonly ready: number;
  readonly upToDate: number;
}

/** What its controller says of it. */
export function daemonSetStatus({ generation, nodes, ready, upToDate }: DaemonSetCounts) {
  return {
    observedGeneration: generation,
    currentNumberScheduled: nodes,
    desiredNumberScheduled: nodes,
    updatedNumberScheduled: upToDate,
    numberMisscheduled: 0,
    numberReady: ready,
    numberAvailable: ready,
    numberUnavailable: nodes - ready,
  };
}
