import type { CallContext, Http, HttpRequest, Provider, ResumeOutcome, StartOutcome, Ticket } from '@cro/cdi-core';
import { loadProvider } from '@cro/cdi-core';
import { fakeHost, httpOver, type FakeHost } from '@cro/cdi-core/testing';
import { VirtualClock } from '@cro/clock/testing';
import { createNecSim, makeGpus, makeMachines, seededRandom, type NecSim, type NecSimOptions } from '@cro/fabric-sim';
import { cdim, type NecConfig } from '@cro/cdi-nec';

export const MODEL = 'NVIDIA-A100-PCIE-80GB';
export const TOKEN = 'a-bearer-token-of-the-test';
export const BASE = 'http://cdim.test/cdim/api/v1';

/** A CDIM in this process on a virtual clock, and a provider for it. */
export interface World {
  readonly clock: VirtualClock;
  readonly sim: NecSim;
  readonly host: FakeHost;
  readonly provider: Provider;
  /** Ids of the machines. */
  readonly machines: readonly string[];
  readonly machine: string;
  /** Ids of the GPUs, in order. */
  readonly gpus: readonly string[];
  /** Every request that left, oldest first. */
  readonly sent: readonly HttpRequest[];
  /** A new provider on the same fabric and host, as after a restart. */
  restart(changes?: Partial<NecConfig>): Provider;
  /** The way to the fabric, noted in `sent`. */
  readonly http: Http;
  /** A new provider that takes another way. */
  restartOver(http?: Http): Provider;
  /** Lets virtual time pass until `work` is over. */
  settle<T>(work: Promise<T>): Promise<T>;
}

const loadedBefore = new Map<string, (host: FakeHost) => Provider>();

/** Loads the provider as the operator does, each configuration once: compiling its schema takes longer than a whole attach. */
function load(config: Partial<NecConfig>): (host: FakeHost) => Provider {
  const key = JSON.stringify(config);
  const before = loadedBefore.get(key);
  if (before !== undefined) return before;
  const loaded = loadProvider(cdim, config);
  if (loaded.tag === 'failed') throw new Error(loaded.message);
  loadedBefore.set(key, loaded.create);
  return loaded.create;
}

export function openCdim(options: Partial<NecSimOptions> = {}, config: Partial<NecConfig> = {}): World {
  const clock = new VirtualClock();
  const specs = options.machines ?? makeMachines(2);
  const devices = options.devices ?? makeGpus(4, MODEL);
  const sim = createNecSim({ clock, random: seededRandom(1), ...options, devices, machines: specs });
  const sent: HttpRequest[] = [];
  const inner = httpOver('http://cdim.test', sim);
  const http: Http = {
    send: (request: HttpRequest, signal: AbortSignal) => (sent.push(request), inner.send(request, signal)),
  };
  const host = fakeHost({ clock, http, secrets: { 'cdim/token': TOKEN } });
  const create = (changes: Partial<NecConfig>, way: Http) =>
    load({ configurationManager: BASE, layoutApply: `${BASE}/`, ...config, ...changes })({ ...host, http: way });
  const restart = (changes: Partial<NecConfig> = {}) => create(changes, http);
  const restartOver = (way = http) => create({}, way);
  const settle = async <T>(work: Promise<T>): Promise<T> => {
    const progress = { over: false };
    const end = work.finally(() => (progress.over = true));
    if (!(await clock.runUntil(() => progress.over, 3_600_000)))
      throw new Error('nothing is left that could end the call');
    return end;
  };
  const machines = specs.map(({ machUuid }) => machUuid);
  const gpus = devices.map(({ resUuid }) => resUuid);
  const seen = { clock, sim, host, http, machines, machine: machines[0] ?? '', gpus, sent };
  return { ...seen, provider: restart(), restart, restartOver, settle };
}

export function contextOf(provider: Provider, kind: 'read' | 'mutate' = 'read'): CallContext {
  return { signal: new AbortController().signal, timeoutMs: provider.timeouts[kind] };
}

export type Request = Parameters<Provider['prepare']>[0];

export function attachRequest({ machine }: World, changes: Partial<Request & { op: 'attach' }> = {}): Request {
  return { op: 'attach', holder: 'uid-1', type: 'gpu', model: MODEL, machine, claimed: [], ...changes };
}

export function detachRequest({ machine }: World, cdiDeviceId: string, deviceId?: string): Request {
  const device = { cdiDeviceId, ...(deviceId === undefined ? {} : { deviceId }) };
  return { op: 'detach', holder: 'uid-1', type: 'gpu', model: MODEL, machine, device, claimed: [] };
}

export function prepare(world: World, request: Request, provider = world.provider) {
  return world.settle(provider.prepare(request, contextOf(provider)));
}

export async function ticketFor(world: World, request: Request, provider = world.provider): Promise<Ticket> {
  const outcome = await prepare(world, request, provider);
  if (outcome.tag !== 'ticket') throw new Error(`prepare answered ${JSON.stringify(outcome)}`);
  return outcome.ticket;
}

/** Starts a ticket; the ticket that is to be kept from then on comes with the outcome. */
export async function start(world: World, ticket: Ticket, provider = world.provider) {
  const outcome = await world.settle(provider.start(ticket, contextOf(provider, 'mutate')));
  return { outcome, ticket: keptOf(outcome, ticket) };
}

export function resume(world: World, ticket: Ticket, provider = world.provider): Promise<ResumeOutcome> {
  return world.settle(provider.resume(ticket, contextOf(provider), []));
}

/** Resumes as the operator does, until the answer is not `pending`, for at most so many looks. */
export async function resumeToEnd(world: World, begun: Ticket, provider = world.provider, most = 500) {
  let ticket = begun;
  for (let looks = 1; looks <= most; looks += 1) {
    const outcome = await resume(world, ticket, provider);
    if (outcome.tag !== 'pending') return { outcome, looks, ticket };
    ticket = keptOf(outcome, ticket);
    await world.clock.advance(outcome.retryAfterMs);
  }
  throw new Error(`still pending after ${most} looks`);
}

/** Does an operation to its end. */
export async function carryOut(world: World, request: Request, provider = world.provider) {
  const begun = await start(world, await ticketFor(world, request, provider), provider);
  if (begun.outcome.tag !== 'pending') return begun.outcome;
  return (await resumeToEnd(world, begun.ticket, provider)).outcome;
}

/** Attaches one device and answers the fabric's id of it. */
export async function attachOne(world: World, changes: Partial<Request & { op: 'attach' }> = {}): Promise<string> {
  const outcome = await carryOut(world, attachRequest(world, changes));
  if (outcome.tag !== 'done' || outcome.device === undefined) throw new Error(JSON.stringify(outcome));
  return outcome.device.cdiDeviceId;
}

function keptOf(outcome: StartOutcome | ResumeOutcome, before: Ticket): Ticket {
  return outcome.tag === 'pending' ? (outcome.ticket ?? before) : before;
}
