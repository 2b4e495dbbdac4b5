import type { Kind, KubeObject } from '@cro/kube-runtime';
import { Type, type Static } from 'typebox';
import { Meta, metaOf, projecting } from './meta.ts';

const Container = Type.Object({
  restartPolicy: Type.Optional(Type.String()),
  resources: Type.Optional(Type.Object({ requests: Type.Optional(Type.Record(Type.String(), Type.String())) })),
});
const Shape = Type.Object({
  metadata: Meta,
  spec: Type.Optional(
    Type.Object({
      containers: Type.Optional(Type.Array(Container)),
      initContainers: Type.Optional(Type.Array(Container)),
    }),
  ),
  status: Type.Optional(Type.Object({ phase: Type.Optional(Type.String()) })),
});

/** Numbers of devices by the extended resource that offers them: `nvidia.com/gpu`, `nvidia.com/mig-1g.10gb`. */
export type GpuCounts = ReadonlyMap<string, number>;

/** The part of a Pod (core/v1) that says how many GPUs it holds. */
export interface GpuPod extends KubeObject {
  /** What it requests, as the scheduler counts; nothing once it has ended. */
  readonly gpus: GpuCounts;
}

function project({ metadata, spec, status }: Static<typeof Shape>): GpuPod {
  const isOver = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  const init = spec?.initContainers ?? [];
  const sidecars = init.filter(({ restartPolicy }) => restartPolicy === 'Always');
  const running = [...(spec?.containers ?? []), ...sidecars].map(requestsOf);
  const starting = init.filter((one) => !sidecars.includes(one)).map(requestsOf);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metaOf(metadata),
    gpus: isOver ? new Map() : mostOf([sumOf(running), ...starting]),
  };
}

function requestsOf({ resources }: Static<typeof Container>): GpuCounts {
  return gpuCounts(resources?.requests ?? {}, Infinity);
}

/** Those quantities that are of GPUs. `other`: what one counts that is no plain number. */
export function gpuCounts(quantities: Readonly<Record<string, string>>, other: number): GpuCounts {
  const ofGpus = Object.entries(quantities).filter(([name]) => /^nvidia\.com\/(gpu$|mig-)/.test(name));
  return new Map(ofGpus.map(([name, quantity]) => [name, /^\d+$/.test(quantity) ? Number(quantity) : other]));
}

/** The sum for each resource. */
export function sumOf(all: readonly GpuCounts[]): GpuCounts {
  return merged(all, (left, right) => left + right);
}

function mostOf(all: readonly GpuCounts[]): GpuCounts {
  return merged(all, Math.max);
}

function merged(all: readonly GpuCounts[], merge: (left: number, right: number) => number): GpuCounts {
  const result = new Map<string, number>();
  for (const [name, count] of all.flatMap((one) => [...one])) result.set(name, merge(result.get(name) ?? 0, count));
  return result;
}

/** Pods, by the GPUs that they request. */
export const gpuPodKind: Kind<GpuPod> = {
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  namespaced: true,
  decode: projecting('Pod', Shape, project),
};
