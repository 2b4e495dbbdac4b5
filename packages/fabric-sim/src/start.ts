import { systemClock } from '@cro/clock';
import { createFabricSim, type FabricSim, type FabricSimOptions } from './fabric-sim.ts';
import { makeGpus, makeMachines } from './make.ts';
import { createNecSim, type NecSim, type NecSimOptions } from './nec/nec-sim.ts';
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

/** What {@link startNecSim} takes: all of it has a default. */
export type StartNecOptions = Partial<NecSimOptions> & ServeOptions;

/** A simulated CDIM that listens; the base of every one of its services is `<url>/cdim/api/v1`. */
export interface RunningNecSim extends Served {
  readonly sim: NecSim;
}

/** Makes a simulated CDIM and lets it listen, with the machines and devices that {@link startFabricSim} has. */
export async function startNecSim(options: StartNecOptions = {}): Promise<RunningNecSim> {
  const sim = createNecSim({
    clock: systemClock,
    random: seededRandom(1),
    devices: makeGpus(8, 'NVIDIA-A100-PCIE-80GB'),
    machines: makeMachines(2),
    ...options,
  });
  return { sim, ...(await serve(sim, options)) };
}
