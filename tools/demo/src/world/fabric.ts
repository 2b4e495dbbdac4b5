import {
  createFabricSim,
  makeGpus,
  makeMachines,
  serve,
  type FabricCore,
  type FabricSim,
  type MachineSpec,
  type SimRequest,
} from '@cro/fabric-sim';
import { DEFAULT_MODEL, TENANT, type WorldOptions } from './options.ts';

/** A fabric behind HTTPS. */
export interface ServedFabric {
  readonly sim: FabricSim;
  readonly machines: readonly MachineSpec[];
  /** `host:port`. */
  readonly endpoint: string;
  readonly caPem: string;
  /** Tells of each request when it arrives, before the fabric begins to work on it. The result ends that. */
  onRequest(listener: (request: SimRequest) => void): () => void;
  close(): Promise<void>;
}

/** Makes the fabric and lets it listen. */
export async function startFabric(options: WorldOptions): Promise<ServedFabric> {
  const { clock, random, nodes = 3, devices = 8, model = DEFAULT_MODEL, attachMs = 0, detachMs = 0 } = options;
  const machines = makeMachines(nodes);
  const specs = makeGpus(devices, model);
  const sim = createFabricSim({ clock, random, devices: specs, machines, tenant: TENANT, attachMs, detachMs });
  const listeners = new Set<(request: SimRequest) => void>();
  const core: FabricCore = {
    handle(request, signal) {
      for (const listener of [...listeners]) listener(request);
      return sim.handle(request, signal);
    },
  };
  const { endpoint, caPem, close } = await serve(core, { clock });
  return {
    sim,
    machines,
    endpoint,
    caPem,
    onRequest(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close,
  };
}
