import { systemClock } from '@cro/clock';
import { makeGpus, makeMachines } from './make.ts';
import { seededRandom } from './random.ts';
import { createRedfishSim, type RedfishSim, type RedfishSimOptions } from './redfish/redfish-sim.ts';
import { serve, type Served, type ServeOptions } from './serve/serve.ts';
import { createSunfishSim, type SunfishSim, type SunfishSimOptions } from './sunfish/sunfish-sim.ts';

/** What {@link startRedfishSim} takes: all of it has a default. */
export type StartRedfishOptions = Partial<RedfishSimOptions> & ServeOptions;

/** A simulated Redfish service that listens. */
export interface RunningRedfishSim extends Served {
  readonly sim: RedfishSim;
}

/** What {@link startSunfishSim} takes: all of it has a default. */
export type StartSunfishOptions = Partial<SunfishSimOptions> & ServeOptions;

/** A simulated Sunfish server that listens. */
export interface RunningSunfishSim extends Served {
  readonly sim: SunfishSim;
}

/** Two machines, eight A100, and a pool of CXL memory. */
function defaults() {
  return {
    clock: systemClock,
    random: seededRandom(1),
    devices: makeGpus(8, 'NVIDIA-A100-PCIE-80GB'),
    machines: makeMachines(2),
    memory: [{ id: '1', sizeMiB: 524_288 }],
  };
}

/** Makes a simulated Redfish composition service and lets it listen on a free port of 127.0.0.1. */
export async function startRedfishSim(options: StartRedfishOptions = {}): Promise<RunningRedfishSim> {
  const sim = createRedfishSim({ ...defaults(), ...options });
  return { sim, ...(await serve(sim, options)) };
}

/** Makes a simulated Sunfish reference server and lets it listen on a free port of 127.0.0.1. */
export async function startSunfishSim(options: StartSunfishOptions = {}): Promise<RunningSunfishSim> {
  const sim = createSunfishSim({ ...defaults(), ...options });
  return { sim, ...(await serve(sim, options)) };
}
