import type { CallContext, Http, HttpRequest, Provider } from '@cro/cdi-core';
import { fakeHost, httpOver, type FakeHost } from '@cro/cdi-core/testing';
import { VirtualClock } from '@cro/clock/testing';
import {
  createRedfishSim,
  createSunfishSim,
  makeGpus,
  makeMachines,
  seededRandom,
  type FabricCore,
  type Hands,
  type RedfishSim,
  type RedfishSimOptions,
  type SunfishSim,
  type SunfishSimOptions,
} from '@cro/fabric-sim';
import { sunfish, type SunfishConfig } from '@cro/cdi-sunfish';

export const MODEL = 'NVIDIA-A100-PCIE-80GB';
export const MEMORY_MODEL = 'cxl-2g';
const ORIGIN = 'https://redfish.test';

/** A simulated service in this process on a virtual clock, and a provider for it. */
export interface Fabric<Sim> {
  readonly clock: VirtualClock;
  readonly sim: Sim;
  readonly host: FakeHost;
  readonly provider: Provider;
  readonly machines: readonly string[];
  readonly machine: string;
  /** Every request that left, oldest first. */
  readonly sent: readonly HttpRequest[];
  /** A new provider on the same service and host, as after a restart. */
  restart(config?: Partial<SunfishConfig>): Provider;
  /** The way to the service, noted in `sent`. */
  readonly http: Http;
  /** A new provider that takes another way. */
  restartOver(http?: Http): Provider;
  /** Lets virtual time pass until `work` is over. */
  settle<T>(work: Promise<T>): Promise<T>;
}

interface Parts {
  readonly clock: VirtualClock;
  readonly random: () => number;
  readonly devices: RedfishSimOptions['devices'];
  readonly machines: RedfishSimOptions['machines'];
  readonly memory: NonNullable<RedfishSimOptions['memory']>;
}

function parts(): Parts {
  return {
    clock: new VirtualClock(),
    random: seededRandom(1),
    devices: makeGpus(4, MODEL),
    machines: makeMachines(3),
    memory: [{ id: '1', sizeMiB: 16_384, minMiB: 1024, incrementMiB: 512 }],
  };
}

export function openRedfish(
  options: Partial<RedfishSimOptions> = {},
  config: Partial<SunfishConfig> = {},
  secrets: Record<string, string> = {},
): Fabric<RedfishSim> {
  const all = { ...parts(), ...options };
  return around(createRedfishSim(all), all, config, secrets);
}

export function openSunfish(
  options: Partial<SunfishSimOptions> = {},
  config: Partial<SunfishConfig> = {},
): Fabric<SunfishSim> {
  const all = { ...parts(), ...options };
  return around(createSunfishSim(all), all, config, {});
}

export type AnySim = FabricCore & Hands & Pick<RedfishSim, 'faults' | 'memory'>;

function around<Sim extends AnySim>(
  sim: Sim,
  { clock, machines: specs }: Pick<Parts, 'machines'> & { clock: RedfishSimOptions['clock'] },
  config: Partial<SunfishConfig>,
  secrets: Record<string, string>,
): Fabric<Sim> {
  if (!(clock instanceof VirtualClock)) throw new Error('a fabric under test runs on a virtual clock');
  const sent: HttpRequest[] = [];
  const inner = httpOver(ORIGIN, sim);
  const http: Http = {
    send: (request, signal) => {
      sent.push(request);
      return inner.send(request, signal);
    },
  };
  const host = fakeHost({ clock, http, secrets });
  const made = { ...defaults(), ...config };
  const restart = (changes: Partial<SunfishConfig> = {}) => sunfish.create(host, { ...made, ...changes });
  const restartOver = (way = http) => sunfish.create({ ...host, http: way }, made);
  const settle = async <T>(work: Promise<T>): Promise<T> => {
    const progress = { over: false };
    const end = work.finally(() => (progress.over = true));
    const ended = await clock.runUntil(() => progress.over, 3_600_000);
    if (!ended) throw new Error('nothing is left that could end the call');
    return end;
  };
  const machines = specs.map(({ machUuid }) => machUuid);
  const machine = machines[0] ?? '';
  return { clock, sim, host, http, provider: restart(), machines, machine, sent, restart, restartOver, settle };
}

export function defaults(): SunfishConfig {
  return { endpoint: ORIGIN, auth: 'none', attachMethod: 'auto', memoryModels: {}, settleSeconds: 60 };
}

/** A context with the provider's own bounds. */
export function contextOf(provider: Provider, kind: 'read' | 'mutate' = 'read'): CallContext {
  return { signal: new AbortController().signal, timeoutMs: provider.timeouts[kind] };
}
