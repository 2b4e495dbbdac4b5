import type { KubeSim } from '@cro/kube-sim';
import type { OperatorConfig } from '../../src/index.ts';

/** The kinds that NVIDIA's GPU Operator brings, as far as they matter here. */
export const gpuOperatorCrd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'clusterpolicies.nvidia.com' },
  spec: {
    group: 'nvidia.com',
    scope: 'Cluster',
    names: { kind: 'ClusterPolicy', plural: 'clusterpolicies', singular: 'clusterpolicy' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

/** Says that the driver is on the host. */
export function putPolicy(kube: KubeSim): void {
  kube.objects.put({
    apiVersion: 'nvidia.com/v1',
    kind: 'ClusterPolicy',
    metadata: { name: 'cluster-policy' },
    spec: { driver: { enabled: false } },
  });
}

/** Node actions as a deployment has them, but where slices change by themselves: nothing is restarted. */
export const NVIDIA = {
  tag: 'nvidia',
  gpuOperatorNamespace: 'gpu-operator',
  draDriverNamespace: 'dra-driver-nvidia-gpu',
  publishWaitMs: 3_600_000,
} as const satisfies OperatorConfig['nodeActions'];
