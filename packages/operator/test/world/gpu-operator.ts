import type { KubeSim } from '@cro/kube-sim';
import type { OperatorConfig } from '../../src/index.ts';

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
