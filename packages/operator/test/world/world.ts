import { VirtualClock } from '@cro/clock/testing';
import {
  createFabricSim,
  makeGpus,
  makeMachines,
  seededRandom,
  type DeviceSpec,
  type FabricCore,
  type FabricSim,
  type FabricSimOptions,
  type Hands,
} from '@cro/fabric-sim';
import { createKubeSim, type KubeSim, type KubeSimOptions } from '@cro/kube-sim';
import {
  CLUSTER_POLICY_CRD,
  createNodeSim,
  NODE_AGENT,
  orderly,
  type Equipment,
  type NodeSim,
  type NodeSimOptions,
} from '@cro/node-sim';
import { clusterManager, fabricManager } from '@cro/cdi-fti';
import type { Access } from '@cro/kube-runtime';
import { operatorAccess, type Decided } from '../../src/index.ts';
import { authorizerOf, type Authorizer } from './authorizer.ts';
import { NVIDIA, putPolicy } from './gpu-operator.ts';
import { Figures } from './figures.ts';
import { providerOf, startLife, type Gates, type Life, type LifeOptions, type LogLine } from './life.ts';
import { chainAnnotations, chainCrds, putChain } from './machine-chain.ts';
import { crdManifests } from './manifests.ts';
import { nodeApi } from './node-api.ts';
import { A100, NAMESPACE, TENANT } from './names.ts';
import { putSecret } from './secret.ts';

const RULES = 'devicetaintrules.resource.k8s.io';

export type { Gates, Life, LogLine } from './life.ts';
export { A100, NAMESPACE, TENANT } from './names.ts';

/** How a world is set up. */
export interface WorldOptions {
  readonly seed?: number;
  /** How many A100 are in the pool, or which devices there are. */
  readonly devices?: number | readonly DeviceSpec[];
  /** How many nodes there are, each on its machine, or more about each. */
  readonly nodes?: number | readonly Partial<NodeSimOptions['nodes'][number]>[];
  readonly attachMs?: FabricSimOptions['attachMs'];
  readonly detachMs?: FabricSimOptions['detachMs'];
  readonly publishDelayMs?: number;
  /**
   * What the nodes have beside their GPUs. Where it is given, `fabric.assertPoolWhole` throws too when a GPU was pulled that its node
   * had not let go. Default: nothing.
   */
  readonly equipment?: Equipment;
  readonly settleSeconds?: number;
  /** Which manager of the fabric is asked. Default: FM, by the nodes' providerIDs. */
  readonly manager?: 'FM' | 'CM';
  readonly orphanGraceMs?: number;
  readonly fence?: NonNullable<LifeOptions['fence']>;
  /** What is done on nodes. Default: as NVIDIA's GPUs need it, with the driver on the host. */
  readonly nodeActions?: NonNullable<LifeOptions['nodeActions']>;
  /** The drivers whose ResourceSlices are looked at. Default: NVIDIA's. */
  readonly sliceDrivers?: NonNullable<LifeOptions['sliceDrivers']>;
  /** Devices leave past their drivers: moved by hand, or from a node that is gone. */
  readonly byHand?: boolean;
  /** The versions in which DeviceTaintRule is served. Default: that of Kubernetes 1.34. */
  readonly servedTaintRuleVersions?: KubeSimOptions['servedTaintRuleVersions'];
  /** The CRDs in the cluster, where they are not those of this release. */
  readonly crds?: readonly object[];
  /** Told of every decision of every operator. */
  readonly decided?: (step: Decided) => void;
  /** Whether the Secret with the credentials is there from the start. Default: it is. */
  readonly secret?: boolean;
  /** What the operator is granted. Default: what it declares; a request for more then fails the test. */
  readonly grants?: readonly Access[];
}

/** A cluster, a fabric and nodes in one process on a virtual clock. */
export interface World {
  readonly clock: VirtualClock;
  readonly kube: KubeSim;
  readonly fabric: FabricSim;
  readonly nodes: NodeSim;
  /** UUIDs of the machines of the nodes `worker-0`, `worker-1`, ... */
  readonly machines: readonly string[];
  readonly log: readonly LogLine[];
  /** Told of each request of the operator before it is sent; may kill it. */
  readonly gates: Gates;
  /** What the operator asked of the API server and of the fabric. */
  readonly figures: Figures;
  readonly authorizer: Authorizer;
  startOperator(options?: Pick<LifeOptions, 'drain'>): Life;
}

/** A world on any fabric. */
export interface AnyWorld extends Pick<World, 'clock' | 'kube' | 'log' | 'machines'> {
  readonly fabric: FabricCore & Hands;
}

/** Makes a world. Nodes and the Secret are there; the operator is not. */
export async function makeWorld(options: WorldOptions = {}): Promise<World> {
  const clock = new VirtualClock();
  const random = seededRandom(options.seed ?? 1);
  const byCm = options.manager === 'CM';
  const kube = createKubeSim({
    clock,
    random,
    crds: [...(options.crds ?? crdManifests()), CLUSTER_POLICY_CRD, ...(byCm ? chainCrds : [])],
    servedTaintRuleVersions: options.servedTaintRuleVersions ?? ['v1alpha3'],
  });
  const details =
    typeof options.nodes === 'object' ? options.nodes : Array.from({ length: options.nodes ?? 2 }, () => ({}));
  const machines = makeMachines(details.length);
  const { devices = 4, nodeActions = NVIDIA } = options;
  const fabric = createFabricSim({
    clock,
    random,
    devices: typeof devices === 'number' ? makeGpus(devices, A100) : devices,
    machines,
    tenant: TENANT,
    attachMs: options.attachMs ?? 0,
    detachMs: options.detachMs ?? 0,
  });
  const log: LogLine[] = [];
  const gates: Gates = { before: () => undefined, after: () => undefined };
  kube.objects.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  if (options.secret ?? true) putSecret(kube, fabric.credentials);
  if (byCm) putChain(kube, machines);
  putPolicy(kube);
  const { host, ...equipment } = options.equipment ?? (nodeActions.tag === 'none' ? {} : { pods: [NODE_AGENT] });
  const nodes = createNodeSim({
    clock,
    fabric,
    api: nodeApi(kube),
    nodes: machines.map(({ machUuid }, index) => ({
      ...{ name: `worker-${index}`, machUuid, ...(byCm ? { annotations: chainAnnotations(index) } : {}) },
      ...(host && { host }),
      ...details[index],
    })),
    ...equipment,
    publishDelayMs: options.publishDelayMs ?? 0,
    ...(isFenced(options) && { rules: () => kube.objects.list(RULES) }),
    report: ({ message }) => log.push({ level: 'error', message, fields: {} }),
  });
  await settled(clock, nodes.start());
  const isByHand = options.byHand ?? false;
  const hasActions = nodeActions.tag !== 'none';
  if (hasActions && !isByHand) failOnFaults(nodes, fabric);
  const declared = operatorAccess({
    namespace: NAMESPACE,
    reads: (byCm ? clusterManager : fabricManager).reads,
    secrets: ['credentials'],
    nodeActions,
  });
  const authorizer = authorizerOf(declared, options.grants);
  const provider = providerOf(options, fabric.cluster);
  const parts = { clock, random, kube, fabric, nodes, provider, log, gates, authorizer };
  return {
    ...{ clock, kube, nodes, log, gates, authorizer },
    fabric: !isByHand && (hasActions || options.equipment !== undefined) ? orderly(fabric, nodes) : fabric,
    machines: machines.map(({ machUuid }) => machUuid),
    figures: new Figures(kube, fabric),
    startOperator: (more) => startLife({ ...options, nodeActions, ...more }, parts),
  };
}

/** Whether no device leaves its node without a fence. */
function isFenced({ nodeActions = NVIDIA, fence, byHand = false }: WorldOptions): boolean {
  return (
    nodeActions.tag === 'nvidia' &&
    !byHand &&
    (fence === undefined || (fence.tag === 'deviceTaintRules' && fence.without === 'refuse'))
  );
}

/** What must never happen to hardware fails the run, whatever the test looks at: a device that is taken while its driver has it. */
function failOnFaults(nodes: NodeSim, fabric: FabricSim): void {
  let known = 0;
  fabric.subscribe(() => {
    const faults = nodes.faults();
    if (faults.length > known) void Promise.reject(new Error(`hardware was mistreated: ${JSON.stringify(faults)}`));
    known = faults.length;
  });
}

/** Runs the clock until a promise is settled. */
export async function settled<T>(clock: VirtualClock, promise: Promise<T>, limitMs = 600_000): Promise<T> {
  let over = false;
  const end = () => {
    over = true;
  };
  promise.then(end, end);
  if (!(await clock.runUntil(() => over, limitMs))) throw new Error(`not settled within ${limitMs / 1000} s`);
  return promise;
}
