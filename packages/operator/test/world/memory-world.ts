import { sunfish } from '@cro/cdi-sunfish';
import { VirtualClock } from '@cro/clock/testing';
import { createSunfishSim, makeGpus, makeMachines, seededRandom, type SunfishSim } from '@cro/fabric-sim';
import { createKubeSim } from '@cro/kube-sim';
import { createNodeSim, type NodeSim, type NodeSimOptions } from '@cro/node-sim';
import { operatorAccess } from '../../src/index.ts';
import { authorizerOf } from './authorizer.ts';
import { startLife, type Gates, type Life, type LifeOptions, type LogLine } from './life.ts';
import { crdManifests } from './manifests.ts';
import { A100, NAMESPACE } from './names.ts';
import { nodeApi } from './node-api.ts';
import { settled, type AnyWorld } from './world.ts';

/** What a request of type cxlmemory may name: 2 GiB. */
export const MEMORY = 'cxl-2g';
/** And this: 1 GiB. */
export const SMALL_MEMORY = 'cxl-1g';

/** How a world with memory is set up. */
export interface MemoryWorldOptions extends Pick<NodeSimOptions, 'publishDelayMs' | 'withdrawDelayMs' | 'memoryShare'> {
  readonly nodes?: number;
  readonly attachMs?: number;
  /** MiB in the pool. */
  readonly poolMiB?: number;
}

/** A cluster whose nodes are on a Sunfish server with a pool of CXL memory. */
export interface MemoryWorld extends AnyWorld {
  readonly fabric: SunfishSim;
  readonly nodes: NodeSim;
  readonly gates: Gates;
  startOperator(options?: LifeOptions): Life;
}

/** Makes such a world. Nodes are there, each with 16 GiB of its own; the operator is not. */
export async function makeMemoryWorld(options: MemoryWorldOptions = {}): Promise<MemoryWorld> {
  const clock = new VirtualClock();
  const random = seededRandom(1);
  const kube = createKubeSim({ clock, random, crds: crdManifests() });
  const machines = makeMachines(options.nodes ?? 1);
  const { attachMs = 0, poolMiB = 65_536, nodes: _, ...ofNodes } = options;
  const memory = [{ id: '1', sizeMiB: poolMiB, minMiB: 1024, incrementMiB: 512 }];
  const fabric = createSunfishSim({ clock, random, devices: makeGpus(2, A100), machines, memory, attachMs });
  const log: LogLine[] = [];
  const gates: Gates = { before: () => undefined, after: () => undefined };
  kube.objects.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  const nodes = createNodeSim({
    ...ofNodes,
    clock,
    fabric,
    api: nodeApi(kube),
    nodes: machines.map(({ machUuid }, index) => ({ name: `worker-${index}`, machUuid })),
    report: ({ message }) => log.push({ level: 'error', message, fields: {} }),
  });
  await settled(clock, nodes.start());
  const authorizer = authorizerOf(
    operatorAccess({ namespace: NAMESPACE, reads: sunfish.reads, secrets: [], nodeActions: { tag: 'none' } }),
    undefined,
  );
  const config = {
    endpoint: 'https://fabric.test',
    memoryModels: { [MEMORY]: { sizeMiB: 2048 }, [SMALL_MEMORY]: { sizeMiB: 1024 } },
  };
  const provider = { definition: sunfish, config };
  const parts = { clock, random, kube, fabric, nodes, provider, log, gates, authorizer };
  return {
    ...{ clock, kube, fabric, nodes, log, gates },
    machines: machines.map(({ machUuid }) => machUuid),
    startOperator: (more = {}) => startLife(more, parts),
  };
}

/** What a node says of its memory, in MiB. */
export function memoryOf({ kube }: AnyWorld, node: string): number {
  const found = kube.objects.get('nodes', node) as { status: { capacity: { memory: string } } } | undefined;
  const [, count = '0', unit] = /^(\d+)(Ki|Gi)$/.exec(found?.status.capacity.memory ?? '') ?? [];
  return unit === 'Gi' ? Number(count) * 1024 : Number(count) / 1024;
}

/** Has a node say that it has so much memory. */
export function setMemory({ kube }: AnyWorld, node: string, mib: number): void {
  const found = kube.objects.get('nodes', node) as { status: { capacity: object; allocatable: object } } | undefined;
  if (found === undefined) throw new Error(`there is no node ${node}`);
  const memory = `${mib * 1024}Ki`;
  const { capacity, allocatable } = found.status;
  const status = { ...found.status, capacity: { ...capacity, memory }, allocatable: { ...allocatable, memory } };
  kube.objects.put({ ...found, status });
}

/** Puts a pod on a node that requests so much memory. */
export function putPod({ kube }: AnyWorld, node: string, name: string, memory: string): void {
  const containers = [{ name: 'main', image: 'none', resources: { requests: { memory } } }];
  kube.objects.put({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: { nodeName: node, containers },
    status: { phase: 'Running' },
  });
}

/** Publishes a slice of a node's memory driver, or takes it away where there is no such memory. */
export function putMemorySlice({ kube }: AnyWorld, node: string, driver: string, ids: readonly string[]): void {
  const name = `${node}-${driver}`;
  if (ids.length === 0) {
    kube.objects.delete('resourceslices.resource.k8s.io', name);
    return;
  }
  const devices = ids.map((id, index) => ({ name: `mem-${index}`, attributes: { gcxlid: { string: id } } }));
  const pool = { name: node, generation: 1, resourceSliceCount: 1 };
  kube.objects.put({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name },
    spec: { driver, nodeName: node, pool, devices },
  });
}
