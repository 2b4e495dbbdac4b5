import { VirtualClock } from '@cro/clock/testing';
import { crdManifests } from './manifests.ts';
import { fabricManager } from '@cro/cdi-fti';
import {
  createFabricSim,
  makeGpus,
  makeMachines,
  seededRandom,
  type FabricSim,
  type FabricSimOptions,
} from '@cro/fabric-sim';
import { createKubeSim, type KubeSim, type SimRequest } from '@cro/kube-sim';
import { EventRecorder, RuntimeMetrics } from '@cro/kube-runtime';
import { inProcessTransport } from '@cro/kube-runtime/testing';
import { noNodeActions } from '@cro/node-device';
import { createNodeSim, type NodeSim } from '@cro/node-sim';
import type { Http, Log } from '@cro/cdi-core';
import { startOperator, type RunningOperator } from '../../src/index.ts';

/** Namespace of the operator in tests. */
export const NAMESPACE = 'composable-resource-operator-system';
/** Model of the GPUs in the simulated pool. */
export const A100 = 'NVIDIA-A100-PCIE-80GB';
/** The tenant of the simulated fabric. */
export const TENANT = '11111111-2222-4333-8444-555555555555';

/** How a world is set up. */
export interface WorldOptions {
  readonly seed?: number;
  readonly devices?: number;
  readonly nodes?: number;
  readonly attachMs?: FabricSimOptions['attachMs'];
  readonly detachMs?: FabricSimOptions['detachMs'];
  readonly publishDelayMs?: number;
  readonly settleSeconds?: number;
  readonly orphanGraceMs?: number;
}

/** One operator life: from its start to its end, orderly or not. */
export interface Life {
  readonly operator: RunningOperator;
  /** Ends the process at once, as SIGKILL would: nothing more is sent, and what was sent is not heard of. */
  readonly kill: () => void;
}

/** A cluster, a fabric and nodes in one process on a virtual clock. */
export interface World {
  readonly clock: VirtualClock;
  readonly kube: KubeSim;
  readonly fabric: FabricSim;
  readonly nodes: NodeSim;
  readonly log: readonly LogLine[];
  /** Told of each request of the operator before it is sent; may kill it. */
  readonly gates: Gates;
  startOperator(): Life;
}

/** What stands between an operator and its outside: called before a request is sent, and before its answer is heard. */
export interface Gates {
  before: (what: string) => void;
  after: (what: string) => void;
}

/** One line of the operator's log. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Makes a world. Nodes and the Secret are there; the operator is not. */
export async function makeWorld(options: WorldOptions = {}): Promise<World> {
  const clock = new VirtualClock();
  const random = seededRandom(options.seed ?? 1);
  const kube = createKubeSim({ clock, random, crds: crdManifests() });
  const machines = makeMachines(options.nodes ?? 2);
  const fabric = createFabricSim({
    clock,
    random,
    devices: makeGpus(options.devices ?? 4, A100),
    machines,
    tenant: TENANT,
    attachMs: options.attachMs ?? 0,
    detachMs: options.detachMs ?? 0,
  });
  const log: LogLine[] = [];
  const gates: Gates = { before: () => undefined, after: () => undefined };
  putSecret(kube, fabric);
  const nodes = createNodeSim({
    clock,
    fabric,
    api: { send: (request) => plainSend(kube, { headers: {}, ...request }) },
    nodes: machines.map(({ machUuid }, index) => ({ name: `worker-${index}`, machUuid })),
    publishDelayMs: options.publishDelayMs ?? 0,
    report: ({ message }) => log.push({ level: 'error', message, fields: {} }),
  });
  const starting = nodes.start();
  let started = false;
  void starting.then(() => (started = true));
  await clock.runUntil(() => started, 60_000);
  await starting;
  return {
    clock,
    kube,
    fabric,
    nodes,
    log,
    gates,
    startOperator: () => startLife(options, { clock, random, kube, fabric, log, gates }),
  };
}

interface Parts {
  readonly clock: VirtualClock;
  readonly random: () => number;
  readonly kube: KubeSim;
  readonly fabric: FabricSim;
  readonly log: LogLine[];
  readonly gates: Gates;
}

function startLife(options: WorldOptions, { clock, random, kube, fabric, log, gates }: Parts): Life {
  const end = new AbortController();
  const metrics = new RuntimeMetrics();
  const transport = inProcessTransport(async (request, signal) => {
    const what = `${request.method} ${request.path}`;
    // A dead process sends nothing, and hears nothing.
    end.signal.throwIfAborted();
    gates.before(what);
    end.signal.throwIfAborted();
    const response = await kube.handle(request, signal);
    end.signal.throwIfAborted();
    gates.after(what);
    end.signal.throwIfAborted();
    return response;
  });
  const http: Http = {
    async send(request, signal) {
      const { pathname, search } = new URL(request.url);
      const what = `${request.method} ${pathname}`;
      end.signal.throwIfAborted();
      gates.before(what);
      end.signal.throwIfAborted();
      const { method, headers = {}, body } = request;
      const sent = { method, path: pathname + search, headers, ...(body !== undefined && { body }) };
      const response = await fabric.handle(sent, signal);
      end.signal.throwIfAborted();
      gates.after(what);
      end.signal.throwIfAborted();
      return response;
    },
  };
  const life = log.length;
  const operator = startOperator(
    {
      namespace: NAMESPACE,
      provider: { definition: fabricManager, config: providerConfig(options) },
      syncMs: 60_000,
      orphanGraceMs: options.orphanGraceMs ?? 600_000,
    },
    {
      clock,
      random,
      newId: () => uuid(random),
      transport,
      http,
      log: logInto(log, life),
      metrics,
      eventsOver: (client) => {
        const recorder = new EventRecorder({ client, clock, random, component: 'composable-resource-operator' });
        return {
          event: (about, type, reason, message) => {
            recorder.event({ ...about, ...about.metadata }, type, reason, message);
          },
        };
      },
      nodeActions: noNodeActions(logInto(log, life)),
      leading: () => !end.signal.aborted,
      secretSeen: () => undefined,
      signal: end.signal,
    },
  );
  operator.started.catch(() => undefined);
  return {
    operator,
    kill: () => {
      end.abort(new Error('killed'));
    },
  };
}

function providerConfig({ settleSeconds = 240 }: WorldOptions): unknown {
  const ref = (key: string) => ({ name: 'credentials', key });
  return {
    endpoint: 'fabric.test',
    tenantId: TENANT,
    credentials: {
      username: ref('username'),
      password: ref('password'),
      client_id: ref('client_id'),
      client_secret: ref('client_secret'),
      realm: ref('realm'),
    },
    settleSeconds,
  };
}

function putSecret(kube: KubeSim, fabric: FabricSim): void {
  const { realm, username, password, clientId, clientSecret } = fabric.credentials;
  const encode = (text: string) => Buffer.from(text).toString('base64');
  kube.objects.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  kube.objects.put({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'credentials', namespace: NAMESPACE },
    data: {
      realm: encode(realm),
      username: encode(username),
      password: encode(password),
      client_id: encode(clientId),
      client_secret: encode(clientSecret),
    },
  });
}

async function plainSend(kube: KubeSim, request: SimRequest): Promise<{ status: number; body: string }> {
  const response = await kube.handle(request, new AbortController().signal);
  if (typeof response.body !== 'string') throw new Error(`${request.path} answers with a stream`);
  return { status: response.status, body: response.body };
}

function logInto(log: LogLine[], _life: number): Log {
  const write =
    (level: LogLine['level']) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}) => {
      log.push({ level, message, fields });
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

function uuid(random: () => number): string {
  const hex = (length: number) => Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}
