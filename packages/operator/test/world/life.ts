import { clusterManager, fabricManager } from '@cro/cdi-fti';
import type { Http, Log } from '@cro/cdi-core';
import type { VirtualClock } from '@cro/clock/testing';
import type { FabricCore } from '@cro/fabric-sim';
import { EventRecorder, RuntimeMetrics } from '@cro/kube-runtime';
import { inProcessTransport } from '@cro/kube-runtime/testing';
import type { KubeSim } from '@cro/kube-sim';
import type { NodeSim } from '@cro/node-sim';
import { startOperator, type Decided, type OperatorConfig, type RunningOperator } from '../../src/index.ts';
import type { Authorizer } from './authorizer.ts';
import { execInto, type Through } from './exec.ts';
import { NAMESPACE, TENANT, USER_AGENT } from './names.ts';

/** One operator life: from its start to its end, orderly or not. */
export interface Life {
  readonly operator: RunningOperator;
  /** Every secret value that was read. */
  readonly secrets: ReadonlySet<string>;
  /** What a scrape of its metrics answers. */
  readonly metrics: () => Promise<string>;
  /** Ends the process at once, as SIGKILL would: nothing more is sent, and what was sent is not heard of. */
  readonly kill: () => void;
  /** From now on the lease is not certainly held. */
  readonly loseLease: () => void;
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

/** The world that a life is lived in. */
export interface Surroundings {
  readonly clock: VirtualClock;
  readonly random: () => number;
  readonly kube: KubeSim;
  readonly fabric: FabricCore;
  readonly nodes: NodeSim;
  readonly provider: OperatorConfig['provider'];
  readonly log: LogLine[];
  readonly gates: Gates;
  readonly authorizer: Authorizer;
}

/** Times that a test may set. */
export interface LifeOptions {
  readonly settleSeconds?: number;
  /** Which manager of the fabric is asked. Default: FM. */
  readonly manager?: 'FM' | 'CM';
  readonly orphanGraceMs?: number;
  readonly drain?: boolean;
  readonly fence?: OperatorConfig['fence'];
  readonly nodeActions?: OperatorConfig['nodeActions'];
  /** The drivers whose slices are looked at. Default: NVIDIA's alone; memory shows as capacity of its node. */
  readonly sliceDrivers?: NonNullable<OperatorConfig['sliceDrivers']>;
  /** Told of every decision. */
  readonly decided?: (step: Decided) => void;
}

/** Starts an operator. */
export function startLife(options: LifeOptions, surroundings: Surroundings): Life {
  const { clock, random, kube, fabric, nodes, provider, log, gates, authorizer } = surroundings;
  const end = new AbortController();
  const metrics = new RuntimeMetrics();
  const secrets = new Set<string>();
  let leading = true;
  // A dead process sends nothing, and hears nothing.
  const through = async <T>(what: string, send: () => Promise<T>): Promise<T> => {
    end.signal.throwIfAborted();
    gates.before(what);
    end.signal.throwIfAborted();
    const response = await send();
    end.signal.throwIfAborted();
    gates.after(what);
    end.signal.throwIfAborted();
    return response;
  };
  const operator = startOperator(
    {
      namespace: NAMESPACE,
      provider,
      syncMs: 60_000,
      orphanGraceMs: options.orphanGraceMs ?? 600_000,
      drain: options.drain ?? false,
      fence: options.fence ?? { tag: 'deviceTaintRules', without: 'refuse' },
      nodeActions: options.nodeActions ?? { tag: 'none' },
      ...(options.sliceDrivers && { sliceDrivers: options.sliceDrivers }),
    },
    {
      clock,
      random,
      newId: () => uuid(random),
      transport: inProcessTransport((request, signal) =>
        through(
          `${request.method} ${request.path}`,
          async () => authorizer.judge(request) ?? kube.handle(request, signal),
        ),
      ),
      http: httpTo(fabric, through),
      log: logInto(log),
      metrics,
      eventsOver: (client) => {
        const recorder = new EventRecorder({ client, clock, random, component: USER_AGENT });
        return {
          event: (about, type, reason, message) => {
            recorder.event({ ...about, ...about.metadata }, type, reason, message);
          },
        };
      },
      exec: execInto(nodes, authorizer, through),
      ...(options.decided && { decided: options.decided }),
      leading: () => leading && !end.signal.aborted,
      secretSeen: (value) => secrets.add(value),
      signal: end.signal,
    },
  );
  operator.started.catch(() => undefined);
  return {
    operator,
    secrets,
    metrics: () => metrics.registry.metrics(),
    kill: () => {
      end.abort(new Error('killed'));
    },
    loseLease: () => {
      leading = false;
    },
  };
}

function httpTo(fabric: FabricCore, through: Through): Http {
  return {
    send(request, signal) {
      const { pathname, search } = new URL(request.url);
      const { method, headers = {}, body } = request;
      const sent = { method, path: pathname + search, headers, ...(body !== undefined && { body }) };
      return through(`${method} ${pathname}`, () => fabric.handle(sent, signal));
    },
  };
}

/** The manager of an FTI fabric that is asked, and its configuration. */
export function providerOf(
  options: Pick<LifeOptions, 'manager' | 'settleSeconds'>,
  clusterId: string,
): OperatorConfig['provider'] {
  const config = providerConfig(options);
  if (options.manager !== 'CM') return { definition: fabricManager, config };
  return { definition: clusterManager, config: { ...config, clusterId } };
}

function providerConfig({ settleSeconds = 240 }: LifeOptions): object {
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

function logInto(log: LogLine[]): Log {
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
