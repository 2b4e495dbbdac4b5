import type { AttachRequest, CallContext, DetachRequest, Http, HttpRequest, Provider, Ticket } from '@cro/cdi-core';
import { fakeHost, httpOver, type FakeHost } from '@cro/cdi-core/testing';
import { VirtualClock } from '@cro/clock/testing';
import { clusterManager, type CmConfig } from '@cro/cdi-fti';
import {
  createFabricSim,
  defaultCluster,
  makeGpus,
  makeMachines,
  seededRandom,
  type Effect,
  type FabricSim,
  type FabricSimOptions,
} from '@cro/fabric-sim';
import { configFor, contextOf, MODEL, secretsOf, TENANT, watched } from './fabric.ts';

/** A Cluster Manager in this process on a virtual clock, and a provider for it. */
export interface CmWorld {
  readonly clock: VirtualClock;
  readonly sim: FabricSim;
  readonly host: FakeHost;
  readonly provider: Provider;
  readonly machines: readonly string[];
  readonly machine: string;
  /** Every request that left, oldest first. */
  readonly sent: readonly HttpRequest[];
  /** A new provider on the same fabric and host, as after a restart. */
  restart(config?: Partial<CmConfig>): Provider;
  /** The way to the fabric, noted in `sent`. */
  readonly http: Http;
  /** A new provider that takes another way. */
  restartOver(http?: Http): Provider;
  /** Lets virtual time pass until `work` is over. */
  settle<T>(work: Promise<T>): Promise<T>;
}

export function openCm(options: Partial<FabricSimOptions> = {}, config: Partial<CmConfig> = {}): CmWorld {
  const clock = new VirtualClock();
  const specs = options.machines ?? makeMachines(2);
  const sim = createFabricSim({
    clock,
    random: seededRandom(1),
    devices: makeGpus(4, MODEL),
    machines: specs,
    tenant: TENANT,
    ...options,
  });
  const { http, sent } = watched(httpOver('https://cm.test', sim));
  const host = fakeHost({ clock, http, secrets: secretsOf(sim) });
  const made = { ...configFor('cm.test'), clusterId: defaultCluster, ...config };
  const restart = (changes: Partial<CmConfig> = {}) => clusterManager.create(host, { ...made, ...changes });
  const restartOver = (way = http) => clusterManager.create({ ...host, http: way }, made);
  const machines = specs.map(({ machUuid }) => machUuid);
  const settle = async <T>(work: Promise<T>): Promise<T> => {
    const progress = { over: false };
    const end = work.finally(() => (progress.over = true));
    if (!(await clock.runUntil(() => progress.over, 3_600_000))) throw new Error('nothing could end the call');
    return end;
  };
  const machine = machines[0] ?? '';
  return { clock, sim, host, http, provider: restart(), machines, machine, sent, restart, restartOver, settle };
}

export function toAttach({ machine }: CmWorld, changes: Partial<AttachRequest> = {}): AttachRequest {
  return { op: 'attach', holder: 'uid-1', type: 'gpu', model: MODEL, machine, claimed: [], ...changes };
}

export function toDetach({ machine }: CmWorld, device: DetachRequest['device']): DetachRequest {
  return { op: 'detach', holder: 'uid-1', type: 'gpu', model: MODEL, machine, device, claimed: [] };
}

export function prepare(world: CmWorld, request: AttachRequest | DetachRequest) {
  return world.settle(world.provider.prepare(request, contextOf(world.provider)));
}

export async function ticketFor(world: CmWorld, request: AttachRequest | DetachRequest): Promise<Ticket> {
  const outcome = await prepare(world, request);
  if (outcome.tag !== 'ticket') throw new Error(`prepare answered ${JSON.stringify(outcome)}`);
  return outcome.ticket;
}

export function start(world: CmWorld, ticket: Ticket) {
  return world.settle(world.provider.start(ticket, contextOf(world.provider, 'mutate')));
}

export function resume(world: CmWorld, ticket: Ticket, claimed: readonly string[] = []) {
  return world.settle(world.provider.resume(ticket, contextOf(world.provider), claimed));
}

/** Resumes as the operator does, until it is neither pending nor unchanged for longer than the settle window. */
export async function resumeToEnd(world: CmWorld, ticket: Ticket, provider = world.provider) {
  for (let looks = 1; looks < 2_000; looks += 1) {
    const call: CallContext = contextOf(provider);
    const outcome = await world.settle(provider.resume(ticket, call, []));
    if (outcome.tag !== 'pending') return { outcome, looks };
    await world.clock.advance(outcome.retryAfterMs);
  }
  throw new Error('still pending');
}

/** Does an operation to its end. */
export async function carryOut(world: CmWorld, request: AttachRequest | DetachRequest) {
  const ticket = await ticketFor(world, request);
  const outcome = await start(world, ticket);
  return outcome.tag === 'pending' ? (await resumeToEnd(world, ticket)).outcome : outcome;
}

export async function attachOne(world: CmWorld) {
  const outcome = await carryOut(world, toAttach(world));
  if (outcome.tag !== 'done' || outcome.device === undefined) throw new Error(JSON.stringify(outcome));
  return outcome.device;
}

/** Strikes the next call of a kind. */
export function strike(world: CmWorld, kind: 'get' | 'attach' | 'detach' | 'inventory', effect: Effect): void {
  world.sim.faults.add({ kind, effect });
}
