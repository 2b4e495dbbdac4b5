import { makeGpus, makeMachines, serve, type FabricCore, type MachineSpec, type SimRequest } from '@cro/fabric-sim';
import { makeFabric, type FabricParts, type MakeFabric } from './fabrics.ts';
import { DEFAULT_MODEL, TENANT, type WorldOptions } from './options.ts';

/** A fabric behind HTTPS. */
export interface ServedFabric extends Omit<FabricParts, 'env'> {
  readonly machines: readonly MachineSpec[];
  readonly caPem: string;
  /** The operator's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Tells of each request but those to sign in when it arrives, before the fabric begins to work on it. The result ends that. */
  onRequest(listener: (request: SimRequest) => void): () => void;
  close(): Promise<void>;
}

/** Makes the fabric and lets it listen. */
export async function startFabric(options: WorldOptions): Promise<ServedFabric> {
  const { clock, random, nodes = 3, devices = 8, model = DEFAULT_MODEL, attachMs = 0, detachMs = 0 } = options;
  const machines = makeMachines(nodes);
  const specs = makeGpus(devices, model);
  const { fabric = 'fm' } = options;
  const make: MakeFabric = typeof fabric === 'function' ? fabric : (parts) => makeFabric(fabric, parts);
  const parts = make({
    ...{ clock, random, machines, attachMs, detachMs },
    devices: specs,
    tenant: TENANT,
  });
  const listeners = new Set<(request: SimRequest) => void>();
  const core: FabricCore = {
    handle(request, signal) {
      if (!isSignIn(request)) for (const listener of [...listeners]) listener(request);
      return parts.sim.handle(request, signal);
    },
  };
  const served = await serve(core, { clock });
  return {
    ...parts,
    machines,
    caPem: served.caPem,
    env: parts.env(served),
    onRequest(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => served.close(),
  };
}

/** Asks for a token, and nothing of the fabric. */
function isSignIn({ path }: SimRequest): boolean {
  return path.startsWith('/id_manager/');
}
