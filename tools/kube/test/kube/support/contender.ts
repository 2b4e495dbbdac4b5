import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock as clock } from '@cro/clock';
import { until } from '@cro/demo';
import { ConnectionLost, serve, type FabricCore } from '@cro/fabric-sim';
import type { Program } from '../../../src/index.ts';
import { startApiProxy, type ApiProxy } from './api-proxy.ts';
import { Dropped, Gate } from './gate.ts';
import { fieldAt, leaseKind } from './kinds.ts';
import { fabricLabel } from './labels.ts';
import { onFailure } from './last-words.ts';
import { startOperator } from './operator.ts';
import { FABRIC, LEASE, NAMESPACE, type World } from './world.ts';

/** An operator in a process of its own, with a gate between it and everything that it talks to. */
export interface Contender {
  readonly name: string;
  readonly program: Program;
  readonly gate: Gate;
  readonly proxy: ApiProxy;
  readonly logPath: string;
  /** Whether it holds the lease, as the lease says. */
  leads(): boolean;
  /** Waits until it holds the lease. */
  untilLeads(): Promise<void>;
  /** Waits until it has read everything and has swept the fabric once: then what it asks for belongs to objects. */
  untilSettled(): Promise<void>;
  /** Stops the process where it is (SIGSTOP): it holds its connections, and does nothing. */
  pause(): void;
  /** Lets it go on (SIGCONT). */
  goOn(): void;
  close(): Promise<void>;
}

/** What a sweep ends with: it reads what was seen before. */
const SWEPT = 'GET configmaps';
const LEADS_WITHIN_MS = 60_000;

/** How much is told of an operator after a test that failed. */
const LAST_LINES = 30;
const LAST_REQUESTS = 60;

/** Times of a contender. */
export interface ContenderTimes {
  /** How long it waits for a call whose answer was lost. */
  readonly settleSeconds: number;
  /** How often it sweeps the fabric. Default: once, so that what is seen at the gate belongs to the objects of the test. */
  readonly syncSeconds?: number;
  /**
   * Times of its lease. Default: those that ship. Shorter ones are for who asks how a lease is lost: an operator ends when the machine
   * is too busy for its API server to answer within them.
   */
  readonly lease?: LeaseTimes;
  /** Whether it may end without being asked to. Default: it may not, and the world's `trouble` tells of it when it does. */
  readonly mayEnd?: boolean;
  /** Whether it drains, and with `once` ends then. Default: it does not. */
  readonly drain?: 'true' | 'once';
  /** What becomes of devices that cannot be fenced. Default: they stay. */
  readonly withoutFence?: 'refuse' | 'continue' | undefined;
}

/** Times of a lease, in milliseconds. */
export interface LeaseTimes {
  readonly duration: number;
  readonly renewDeadline: number;
  readonly retryPeriod: number;
}

/** Starts one. */
export async function startContender(world: World, name: string, times: ContenderTimes): Promise<Contender> {
  const { lease, mayEnd = false } = times;
  const gate = new Gate();
  const proxy = await startApiProxy({ gate, transport: world.transport, user: world.account.user, now: clock.now() });
  const fabric = await serve(fabricBehind(world.fabric, gate), { clock });
  const at = (file: string) => join(world.directory, `${name}-${file}`);
  const [kubeconfigPath, caPath, logPath] = [at('kubeconfig'), at('fabric-ca.pem'), at('operator.log')];
  await writeFile(kubeconfigPath, proxy.kubeconfig, { mode: 0o600 });
  await writeFile(caPath, fabric.caPem);
  const program = await startOperator({
    kubeconfigPath,
    endpoint: fabric.endpoint,
    caPath,
    tenant: FABRIC.tenant,
    namespace: NAMESPACE,
    webhookPort: 0,
    logPath,
    nodeActions: world.nodeActions,
    env: {
      POD_NAME: name,
      ENABLE_WEBHOOKS: 'false',
      CRO_SETTLE_SECONDS: String(times.settleSeconds),
      CRO_SYNC_SECONDS: String(times.syncSeconds ?? 86_400),
      CRO_DRAIN: times.drain ?? 'false',
      CRO_WITHOUT_FENCE: times.withoutFence ?? 'refuse',
    },
    flags: ['--webhook-bind-address=127.0.0.1:1', ...(lease === undefined ? [] : leaseFlags(lease))],
  });
  if (!mayEnd) program.failed.catch(world.fail);
  const done = onFailure(() => lastWords(name, gate, logPath));
  const leads = () =>
    String(fieldAt(world.caches.leases.get(LEASE, NAMESPACE), 'spec', 'holderIdentity')).startsWith(`${name}_`);
  return {
    name,
    program,
    gate,
    proxy,
    logPath,
    leads,
    async untilLeads() {
      await until({
        clock,
        what: `${name} leads`,
        on: [(look) => world.caches.leases.subscribe(look)],
        value: () => (leads() ? true : undefined),
        withinMs: LEADS_WITHIN_MS,
        signal: world.trouble,
      });
    },
    async untilSettled() {
      await until({
        clock,
        what: `${name} has swept the fabric`,
        on: [(look) => gate.subscribe(look)],
        value: () => (gate.seen.includes(SWEPT) ? true : undefined),
        withinMs: LEADS_WITHIN_MS,
        signal: world.trouble,
      });
    },
    pause() {
      process.kill(program.pid, 'SIGSTOP');
    },
    goOn() {
      process.kill(program.pid, 'SIGCONT');
    },
    async close() {
      await program.kill();
      done();
      await Promise.all([proxy.close(), fabric.close()]);
    },
  };
}

function leaseFlags({ duration, renewDeadline, retryPeriod }: LeaseTimes): readonly string[] {
  return [
    `--leader-elect-lease-duration=${duration}ms`,
    `--leader-elect-renew-deadline=${renewDeadline}ms`,
    `--leader-elect-retry-period=${retryPeriod}ms`,
  ];
}

/** Takes away the lease of one that was killed: that the next one waits until it has run out is asked elsewhere. */
export async function removeLease({ client }: World): Promise<void> {
  await client.delete(leaseKind, { name: LEASE, namespace: NAMESPACE });
}

function lastWords(name: string, gate: Gate, logPath: string): string {
  const log = readFileSync(logPath, 'utf8').trimEnd().split('\n').slice(-LAST_LINES);
  return [`${name} asked for last: ${gate.seen.slice(-LAST_REQUESTS).join(', ')}`, ...log].join('\n');
}

/** The fabric behind a gate. What was sent once arrives, whatever becomes of the one that sent it. */
function fabricBehind(core: FabricCore, gate: Gate): FabricCore {
  const never = new AbortController().signal;
  return {
    async handle(request) {
      try {
        return await gate.pass(fabricLabel(request.method, request.path), () => core.handle(request, never));
      } catch (error) {
        throw error instanceof Dropped ? new ConnectionLost() : error;
      }
    },
  };
}
