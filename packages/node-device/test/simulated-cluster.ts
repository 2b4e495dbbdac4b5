import { VirtualClock } from '@cro/clock/testing';
import { KubeClient, watchKind, type Cache } from '@cro/kube-runtime';
import { inProcessTransport } from '@cro/kube-runtime/testing';
import { createKubeSim, type KubeSim, type TaintRuleVersion } from '@cro/kube-sim';
import { resourceSliceKind, sliceIndexes, type ResourceSlice } from '../src/index.ts';

/** An API server in memory and a watch of its ResourceSlices, on a clock that stands still until it is moved. */
export interface SimulatedCluster {
  readonly clock: VirtualClock;
  readonly kube: KubeSim;
  readonly signal: AbortSignal;
  startWatch(): Cache<ResourceSlice>;
  stop(): void;
}

/** Makes one that serves DeviceTaintRule in these versions. */
export function simulatedCluster(servedTaintRuleVersions: readonly TaintRuleVersion[] = []): SimulatedCluster {
  const clock = new VirtualClock();
  const random = () => 0.5;
  const kube = createKubeSim({ clock, random, servedTaintRuleVersions });
  const transport = inProcessTransport((request, signal) => kube.handle(request, signal));
  const client = new KubeClient({ transport, clock, random });
  const stop = new AbortController();
  const { signal } = stop;
  const startWatch = () =>
    watchKind(resourceSliceKind, { client, transport, clock, random, indexes: sliceIndexes, signal });
  return { clock, kube, startWatch, signal, stop: () => stop.abort(new Error('the test is over')) };
}

/** A ResourceSlice as a DRA driver publishes it. */
export function slice(name: string, spec: Readonly<Record<string, unknown>>, uuids: readonly string[]) {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name },
    spec: {
      driver: 'gpu.nvidia.com',
      pool: { name, generation: 1, resourceSliceCount: 1 },
      ...spec,
      devices: uuids.map((uuid, n) => ({ name: `gpu-${n}`, attributes: { uuid: { string: uuid } } })),
    },
  };
}
