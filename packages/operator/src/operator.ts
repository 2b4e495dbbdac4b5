import { resourceKind } from '@cro/crd-types';
import type { Http, Log, Provider } from '@cro/cdi-core';
import type { Clock } from '@cro/clock';
import { KubeClient, startController, type Controller, type RuntimeMetrics, type Transport } from '@cro/kube-runtime';
import type { Exec } from '@cro/kube-runtime/exec';
import { NVIDIA_SLICES, type SliceDrivers } from '@cro/node-device';
import { NodeStates } from './cluster/node-states.ts';
import type { Decided } from './decided.ts';
import { Drain } from './drain/drain.ts';
import { fabricOf, needsLane } from './fabric/fabric.ts';
import { HealthBook } from './fabric/health-book.ts';
import { Lanes } from './fabric/lanes.ts';
import { OperatorMetrics } from './metrics.ts';
import { StoredFields } from './report/stored-fields.ts';
import { Planner } from './request/planner.ts';
import { RequestReconciler } from './request/reconciler.ts';
import { Shortages } from './request/shortages.ts';
import { ResourceReconciler } from './resource/reconciler.ts';
import type { Events, Services, Wake } from './services.ts';
import { DriftStore } from './syncer/drift-store.ts';
import { Syncer } from './syncer/syncer.ts';
import { countByState, unread } from './wiring/standing.ts';
import { wireFence, type FenceConfig, type WiredFence } from './wiring/device-fence.ts';
import { wireNodeSides } from './wiring/node-sides.ts';
import { loadedOf, made, type ProviderChoice } from './wiring/provider-choice.ts';
import { whileLeading } from './wiring/while-leading.ts';
import { hostOver } from './wiring/host.ts';
import { wireGpuSide } from './wiring/gpu-side.ts';
import { nodeWatchesRead, slicesOf, type NodeActionsConfig } from './wiring/node-actions.ts';
import { Rest } from './wiring/rest.ts';
import {
  wakeForHealth,
  wakeForNode,
  wakeOnEvents,
  wakeOnNodeWatches,
  wakeOnSecrets,
  wakeUnfenced,
} from './wiring/wakes.ts';
import { startWatching, type Watched } from './wiring/watch.ts';

/** The world that an operator runs in. Real in production; on a virtual clock against simulators in tests. */
export interface OperatorWorld {
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** A new UUID v4. */
  readonly newId: () => string;
  readonly transport: Transport;
  readonly http: Http;
  readonly log: Log;
  readonly metrics: RuntimeMetrics;
  /** Makes the recorder of events over the operator's client. */
  readonly eventsOver: (client: KubeClient) => Events;
  /** Runs commands in pods; used for node actions. */
  readonly exec: Exec;
  /** Whether the lease is certainly still held, by the monotonic clock. While it is not, nothing is sent to anybody. */
  readonly leading: () => boolean;
  /** Told every secret value that is read. */
  readonly secretSeen: (value: string) => void;
  /** Told of every decision, with what it was made on; for those who record traces. */
  readonly decided?: (step: Decided) => void;
  /** Ends everything at once. */
  readonly signal: AbortSignal;
}

/** What to run. */
export interface OperatorConfig {
  readonly namespace: string;
  readonly provider: ProviderChoice;
  readonly syncMs: number;
  readonly orphanGraceMs: number;
  /** End what is open and start nothing new, so that another operator can take over. */
  readonly drain?: boolean;
  readonly fence: FenceConfig;
  readonly nodeActions: NodeActionsConfig;
  /** The DRA drivers whose slices are looked at: NVIDIA's unless given. Without one for memory, that shows as capacity of its node. */
  readonly sliceDrivers?: SliceDrivers;
}

/** A running operator. */
export interface RunningOperator {
  /** What is not as it should be, for the readiness probe; empty when it is ready. */
  readonly notReady: () => readonly string[];
  /** Resolves when everything has been read and the reconcilers run. */
  readonly started: Promise<void>;
  /** Starts nothing new, lets what runs end and saves it, for at most `limitMs`. */
  readonly stop: (limitMs: number) => Promise<void>;
  /** Objects and operations that are being worked on. */
  readonly busy: () => boolean;
  /** Resolves when a drain is over: nothing is open any more. Never without `drain`. */
  readonly drained: Promise<void>;
  /** One sweep of the fabric, now. */
  readonly sweep: () => Promise<void>;
}

/** How many objects are worked on at once. Waiting for a fabric or a node takes no place. */
const CONCURRENCY = 32;

/** Starts an operator. Throws {@link OperatorConfigError} when its provider cannot be loaded or made. */
export function startOperator(config: OperatorConfig, world: OperatorWorld): RunningOperator {
  const loaded = loadedOf(config.provider);
  const { clock, random, leading, log, metrics, signal } = world;
  const { host: server } = world.transport;
  const transport = { ...whileLeading(world.transport, leading), ...(server !== undefined && { host: server }) };
  const client = new KubeClient({ transport, clock, random, metrics, userAgent: 'composable-resource-operator' });
  const secretNames = [...new Set(loaded.secrets.map(({ name }) => name))];
  const watched = startWatching({
    client,
    transport,
    clock,
    random,
    log,
    metrics,
    namespace: config.namespace,
    reads: loaded.reads,
    secrets: secretNames,
    nodeActions: config.nodeActions,
    sliceDrivers: config.sliceDrivers ?? NVIDIA_SLICES,
    signal,
  });
  const http = whileLeading(world.http, leading);
  const host = hostOver(watched, { ...world, http, namespace: config.namespace });
  const wiring = wire(
    config,
    world,
    client,
    watched,
    made(() => loaded.create(host)),
  );
  const started = begin(watched, wiring, signal);
  const credentials = () =>
    loaded.secrets.flatMap((ref) => {
      const read = host.secret(ref);
      return read.tag === 'failed' ? [read.failure.message] : [];
    });
  return {
    notReady: () =>
      [
        ...unread(watched),
        ...credentials(),
        wiring.services.storedFields.problem ?? [],
        wiring.drain?.problem ?? [],
      ].flat(),
    started,
    stop: (limitMs) => stop(wiring, limitMs),
    busy: () => wiring.resources.unsaved > 0 || wiring.controllers.some((one) => !one.idle()),
    drained: wiring.drain?.finished ?? never(),
    sweep: () => wiring.syncer.sweep(),
  };
}

interface Wiring {
  readonly services: Services;
  readonly resources: ResourceReconciler;
  readonly controllers: readonly Controller[];
  readonly syncer: Syncer;
  readonly shortages: Shortages;
  readonly fence: WiredFence;
  readonly gate: { open: boolean };
  readonly rest: Rest;
  readonly drain: Drain | undefined;
}

function wire(
  config: OperatorConfig,
  world: OperatorWorld,
  client: KubeClient,
  watched: Watched,
  provider: Provider,
): Wiring {
  const { clock, random, newId, log, metrics, signal, exec, leading } = world;
  const operatorMetrics = new OperatorMetrics(metrics);
  // Caches tell of objects while they are being filled: nothing is decided on half of them.
  const gate = { open: false };
  const wake: Wake = {
    resource: (name, fresh) => {
      if (!gate.open) return;
      if (fresh !== undefined) resources.freshen(name);
      resourceController.enqueue(name);
    },
    request: (name, fresh) => {
      if (!gate.open) return;
      if (fresh !== undefined) requests.freshen(name);
      requestController.enqueue(name);
    },
  };
  const changed = (node: string) => {
    wakeForNode(node, watched, wake);
  };
  const healthChanged = (id: string) => {
    wakeForHealth(id, watched, services.health, wake);
  };
  const { nodes, nodeWatches: watches, resources: held } = watched;
  const draining = config.drain ?? false;
  const fence = wireFence(config.fence, { client, slices: slicesOf(watches), resources: held, draining, clock, log });
  const services: Services = {
    ...{ clock, random, newId, log, client, wake, leading, signal },
    caches: watched,
    nodes: new NodeStates({ cache: nodes, client, clock, changed }),
    nodeSides: wireNodeSides({
      ...{ client, watched, fence: fence.fence },
      gpu: wireGpuSide({ ...{ watches, nodes, client, clock, exec, log, leading }, resources: held }),
    }),
    withoutFence: fence.without,
    fabric: fabricOf(provider, clock, operatorMetrics),
    lanes: new Lanes(),
    health: new HealthBook(healthChanged),
    drift: new DriftStore({ client, namespace: config.namespace }),
    storedFields: new StoredFields(`${resourceKind.plural}.${resourceKind.group}`),
    events: world.eventsOver(client),
    draining,
    decided: world.decided,
  };
  const shortages = new Shortages(clock);
  const resources = new ResourceReconciler(services, shortages);
  const requests = new RequestReconciler(services, new Planner(services, shortages));
  const drain = services.draining ? new Drain(services, () => resources.unsaved) : undefined;
  const rest = new Rest(clock);
  const [resourceController, requestController] = startControllers({ resources, requests, rest, drain }, world);
  const syncer = new Syncer(services, { intervalMs: config.syncMs, graceMs: config.orphanGraceMs });
  operatorMetrics.observe({ devicesByState: () => countByState(services.caches), orphans: () => syncer.orphans });
  if (drain !== undefined) operatorMetrics.observeDrain(() => drain.open);
  return {
    services,
    resources,
    controllers: [resourceController, requestController],
    syncer,
    shortages,
    fence,
    gate,
    rest,
    drain,
  };
}

/** What the controllers run. */
interface Interpreters extends Pick<Wiring, 'resources' | 'rest' | 'drain'> {
  readonly requests: RequestReconciler;
}

function startControllers(
  { resources, requests, rest, drain }: Interpreters,
  { clock, random, metrics, log, signal }: OperatorWorld,
): readonly [resources: Controller, requests: Controller] {
  const common = { clock, random, concurrency: CONCURRENCY, metrics, log, signal };
  const ofResources = startController({
    ...common,
    name: 'composableresource',
    reconcile: (name, context) =>
      resources.reconcile(name, context).finally(() => {
        drain?.passed(name);
        rest.ended();
      }),
  });
  const ofRequests = startController({
    ...common,
    name: 'composabilityrequest',
    reconcile: async (name, context) => (rest.awaited ? { tag: 'done' } : requests.reconcile(name, context)),
  });
  return [ofResources, ofRequests];
}

/** Nothing is decided before everything has been read, and the lanes of open tickets are taken. */
async function begin(
  watched: Watched,
  { services, shortages, syncer, fence, gate, drain }: Wiring,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(watched.all.map(({ cache }) => cache.whenSynced(signal)));
  await nodeWatchesRead(watched.nodeWatches, signal);
  const { caches, lanes, fabric, wake } = services;
  for (const { metadata, status } of caches.resources.list()) {
    if (needsLane(status?.operation, fabric)) lanes.adopt(fabric.laneOf(status.operation.machine), metadata.uid);
  }
  drain?.begin();
  gate.open = true;
  wakeOnEvents(caches, services.nodeSides, shortages, wake);
  wakeOnSecrets(watched, wake);
  wakeOnNodeWatches(watched, services.clock, wake);
  fence.begin(() => {
    wakeUnfenced(caches, wake);
  });
  for (const { metadata } of caches.resources.list()) wake.resource(metadata.name);
  for (const { metadata } of caches.requests.list()) wake.request(metadata.name);
  syncer.start();
}

async function stop({ resources, controllers, rest }: Wiring, limitMs: number): Promise<void> {
  resources.stopStarting();
  await rest.reached({ isOver: () => resources.unsaved === 0 && controllers.every((one) => one.idle()) }, limitMs);
}

/** What does not come. */
function never(): Promise<void> {
  return new Promise(() => undefined);
}
