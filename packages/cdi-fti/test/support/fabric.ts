import type { CallContext, Http, HttpRequest, Provider } from '@cro/cdi-core';
import { fakeHost, httpOver, type FakeHost } from '@cro/cdi-core/testing';
import { VirtualClock } from '@cro/clock/testing';
import {
  createFabricSim,
  makeGpus,
  makeMachines,
  seededRandom,
  type FabricSim,
  type FabricSimOptions,
} from '@cro/fabric-sim';
import { fabricManager, type FtiConfig } from '@cro/cdi-fti';

export const MODEL = 'NVIDIA-A100-PCIE-80GB';
export const OTHER_MODEL = 'NVIDIA-OTHER';
export const TENANT = '00000000-3000-4000-8000-000000000000';

const keys = ['username', 'password', 'client_id', 'client_secret', 'realm'] as const;

/** A Fabric Manager in this process on a virtual clock, and a provider for it. */
export interface Fabric {
  readonly clock: VirtualClock;
  readonly sim: FabricSim;
  readonly host: FakeHost;
  readonly provider: Provider;
  /** UUIDs of the machines. */
  readonly machines: readonly string[];
  readonly machine: string;
  /** Every request that left, oldest first. */
  readonly sent: readonly HttpRequest[];
  /** The most requests that were under way at one time. */
  mostAtOnce(): number;
  /** A new provider on the same fabric and host, as after a restart. */
  restart(config?: Partial<FtiConfig>): Provider;
  /** The way to the fabric, noted in `sent`. */
  readonly http: Http;
  /** A new provider that takes another way. */
  restartOver(http?: Http): Provider;
  /** Lets virtual time pass until `work` is over. */
  settle<T>(work: Promise<T>): Promise<T>;
}

export function openFabric(options: Partial<FabricSimOptions> = {}, config: Partial<FtiConfig> = {}): Fabric {
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
  const { http, sent, mostAtOnce } = watched(httpOver('https://fm.test', sim));
  const host = fakeHost({ clock, http, secrets: secretsOf(sim) });
  const made = { ...configFor('fm.test'), ...config };
  const restart = (changes: Partial<FtiConfig> = {}) => fabricManager.create(host, { ...made, ...changes });
  const restartOver = (way = http) => fabricManager.create({ ...host, http: way }, made);
  const machines = specs.map(({ machUuid }) => machUuid);
  const settle = async <T>(work: Promise<T>): Promise<T> => {
    const progress = { over: false };
    const end = work.finally(() => (progress.over = true));
    const ended = await clock.runUntil(() => progress.over, 3_600_000);
    if (!ended) throw new Error('nothing is left that could end the call');
    return end;
  };
  const provider = restart();
  const machine = machines[0] ?? '';
  return { clock, sim, host, http, provider, machines, machine, sent, mostAtOnce, restart, restartOver, settle };
}

export function configFor(endpoint: string): FtiConfig {
  const refs = Object.fromEntries(keys.map((key) => [key, { name: 'credentials', key }]));
  return { endpoint, tenantId: TENANT, credentials: refs as FtiConfig['credentials'], settleSeconds: 240 };
}

export function secretsOf(sim: FabricSim): Record<string, string> {
  const { username, password, clientId, clientSecret, realm } = sim.credentials;
  const values = { username, password, client_id: clientId, client_secret: clientSecret, realm };
  return Object.fromEntries(keys.map((key) => [`credentials/${key}`, values[key]]));
}

/** A context with the provider's own bounds. */
export function contextOf(provider: Provider, kind: 'read' | 'mutate' = 'read'): CallContext {
  return { signal: new AbortController().signal, timeoutMs: provider.timeouts[kind] };
}

/** Notes each request, and how many are under way. */
export function watched(inner: Http) {
  const sent: HttpRequest[] = [];
  let open = 0;
  let most = 0;
  const http: Http = {
    send: (request, signal) => {
      sent.push(request);
      most = Math.max(most, (open += 1));
      return inner.send(request, signal).finally(() => (open -= 1));
    },
  };
  return { http, sent, mostAtOnce: () => most };
}
