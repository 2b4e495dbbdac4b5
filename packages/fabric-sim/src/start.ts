import { systemClock } from '@cro/clock';
import { createFabricSim, type FabricSim, type FabricSimOptions } from './fabric-sim.ts';
import { makeGpus, makeMachines } from './make.ts';
import { seededRandom } from './random.ts';
import { serve, type Served, type ServeOptions } from './serve/serve.ts';

/** What {@link startFabricSim} takes: all of it has a default. */
export type StartOptions = Partial<FabricSimOptions> & ServeOptions;

/** A simulated fabric that listens. */
export interface RunningFabricSim extends Served {
  readonly sim: FabricSim;
}

/** Tenant of a simulator that was told none. */
export const defaultTenant = '00000000-3000-4000-8000-000000000000';

/**
 * Makes a simulated fabric and lets it listen on a free port of 127.0.0.1. Unless told otherwise it has two machines and
 * eight GPUs of model `NVIDIA-A100-PCIE-80GB`, and attaches and detaches at once. What is drawn is
 * the same in every run.
 */
export async function startFabricSim(options: StartOptions = {}): Promise<RunningFabricSim> {
  const sim = createFabricSim({
    clock: systemClock,
    random: seededRandom(1),
    devices: makeGpus(8, 'NVIDIA-A100-PCIE-80GB'),
    machines: makeMachines(2),
    tenant: defaultTenant,
    ...options,
  });
  return { sim, ...(await serve(sim, options)) };
}
