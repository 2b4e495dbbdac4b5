import type { Http, Provider } from '@cro/cdi-core';
import { fakeHost } from '@cro/cdi-core/testing';
import { clusterManager, fabricManager, type CmConfig, type FtiConfig } from '@cro/cdi-fti';
import { cdim } from '@cro/cdi-nec';
import { sunfish } from '@cro/cdi-sunfish';
import type { Clock } from '@cro/clock';
import {
  defaultCluster,
  defaultTenant,
  makeGpus,
  makeMachines,
  startFabricSim,
  startNecSim,
  startRedfishSim,
  type DeviceSpec,
  type FaultBook,
  type MachineSpec,
  type RunningFabricSim,
  type Served,
} from '@cro/fabric-sim';

/** How large a fabric is. */
export interface Size {
  readonly machines: number;
  readonly devices: number;
}

/** A fabric that listens, and how a provider for it is made. */
export interface ListedFabric extends Served {
  readonly machines: readonly string[];
  /** Faults to come. */
  readonly faults: FaultBook;
  create(clock: Clock, http: Http, caFile: string): Provider;
}

/** A kind of fabric. */
export interface FabricKind {
  readonly name: string;
  /** One call for each machine, or one for all of them. */
  readonly calls: 'perMachine' | 'one';
  start(size: Size): Promise<ListedFabric>;
}

interface Content {
  readonly machines: readonly MachineSpec[];
  readonly devices: readonly DeviceSpec[];
}

const MODEL = 'NVIDIA-A100-PCIE-80GB';
/** More than an operator ever has to call a machine slow, in seconds. */
const SETTLE_SECONDS = 240;

/** Machines with their devices on them, evenly. */
function contentOf({ machines, devices }: Size): Content {
  const specs = makeMachines(machines);
  const gpus = makeGpus(devices, MODEL).map((gpu, index): DeviceSpec => {
    const machine = specs[index % machines]?.machUuid;
    return machine === undefined ? gpu : { ...gpu, machine };
  });
  return { machines: specs, devices: gpus };
}

/** What of a running simulator stays as it is. */
function runningOf({ sim, ...served }: Served & { readonly sim: { readonly faults: FaultBook } }, content: Content) {
  return { ...served, faults: sim.faults, machines: content.machines.map(({ machUuid }) => machUuid) };
}

async function startFti(size: Size, create: (config: CmConfig, host: ReturnType<typeof fakeHost>) => Provider) {
  const content = contentOf(size);
  const running = await startFabricSim({ ...content, maxPerSpec: size.devices });
  return {
    ...runningOf(running, content),
    create: (clock: Clock, http: Http, caFile: string) =>
      create(ftiConfig(running, caFile), fakeHost({ clock, http, secrets: secretsOf(running) })),
  };
}

function ftiConfig({ endpoint }: Served, caFile: string): FtiConfig & CmConfig {
  const of = (key: string) => ({ name: 'credentials', key });
  const credentials = {
    username: of('username'),
    password: of('password'),
    client_id: of('client_id'),
    client_secret: of('client_secret'),
    realm: of('realm'),
  };
  const ids = { tenantId: defaultTenant, clusterId: defaultCluster };
  return { endpoint, ...ids, credentials, caFile, settleSeconds: SETTLE_SECONDS };
}

function secretsOf({ sim: { credentials } }: RunningFabricSim): Record<string, string> {
  const { username, password, clientId, clientSecret, realm } = credentials;
  return {
    'credentials/username': username,
    'credentials/password': password,
    'credentials/client_id': clientId,
    'credentials/client_secret': clientSecret,
    'credentials/realm': realm,
  };
}

/** Every kind of fabric that there is a provider for. */
export const FABRICS: readonly FabricKind[] = [
  {
    name: 'FM',
    calls: 'perMachine',
    start: (size) => startFti(size, (config, host) => fabricManager.create(host, config)),
  },
  {
    name: 'CM',
    calls: 'perMachine',
    start: (size) => startFti(size, (config, host) => clusterManager.create(host, config)),
  },
  {
    name: 'NEC',
    calls: 'one',
    async start(size) {
      const content = contentOf(size);
      const running = await startNecSim(content);
      const base = `${running.url}/cdim/api/v1`;
      const seconds = { settleSeconds: SETTLE_SECONDS, viewLagSeconds: 600, stuckSeconds: 1_800 };
      const places = { configurationManager: base, layoutApply: base };
      return {
        ...runningOf(running, content),
        create: (clock, http, caFile) =>
          cdim.create(fakeHost({ clock, http }), {
            ...places,
            ...seconds,
            dialect: 'auto',
            cancelStuck: false,
            caFile,
          }),
      };
    },
  },
  {
    name: 'Redfish, with expand',
    calls: 'one',
    async start(size) {
      const content = contentOf(size);
      const running = await startRedfishSim(content);
      return {
        ...runningOf(running, content),
        create: (clock, http, caFile) =>
          sunfish.create(fakeHost({ clock, http }), {
            endpoint: running.url,
            auth: 'none',
            attachMethod: 'auto',
            memoryModels: {},
            settleSeconds: SETTLE_SECONDS,
            caFile,
          }),
      };
    },
  },
];
