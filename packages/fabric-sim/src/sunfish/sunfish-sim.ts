import type { Clock } from '@cro/clock';
import { CallLog } from '../core/call-log.ts';
import { createCore } from '../core/core.ts';
import type { FabricCore } from '../core/http.ts';
import { drawer, type Duration } from '../duration.ts';
import { FaultBook } from '../faults/fault-book.ts';
import { hands, type Hands } from '../hands.ts';
import type { DeviceSpec, MachineSpec } from '../pool/device.ts';
import { Pool } from '../pool/pool.ts';
import type { MemoryBook, MemoryDomainSpec } from '../redfish/memory.ts';
import { stateOf } from '../redfish/redfish-sim.ts';
import { serviceRoot } from '../redfish/views/root.ts';
import { Agent } from './agent.ts';
import { createSunfish, type Aliases } from './server.ts';
import { Store } from './store.ts';
import { upload } from './upload.ts';

/** What a simulated Sunfish server is made of. */
export interface SunfishSimOptions {
  readonly clock: Clock;
  /** A number in [0, 1): for ids and for durations that are ranges. */
  readonly random: () => number;
  readonly devices: readonly DeviceSpec[];
  readonly machines: readonly MachineSpec[];
  /** Pools of CXL memory. None unless given. */
  readonly memory?: readonly MemoryDomainSpec[];
  /** Whether GPUs are in resource blocks (`patch`, unless given) or hang on the fabric's endpoints. */
  readonly composeBy?: 'patch' | 'connections';
  /** `absent` unless given. */
  readonly aliases?: Aliases;
  /** Time to attach one device. 0 unless given. */
  readonly attachMs?: Duration;
  /** Time to detach one device. 0 unless given. */
  readonly detachMs?: Duration;
}

/** A simulated Sunfish server with one agent, and the hands that reach behind it. */
export interface SunfishSim extends FabricCore, Hands {
  /** Faults to come. */
  readonly faults: FaultBook;
  /** The agent's pools of memory and their chunks. */
  readonly memory: MemoryBook;
  /** Ends the agent, or brings it back. The server goes on answering reads. */
  setAgentUp(up: boolean): void;
  /** Has the agent upload everything anew: the only way in which the server learns of what was done by hand. */
  resync(): void;
}

/** Makes a simulated Sunfish reference server. Nothing listens yet: see `serve` for a socket, or call `handle`. */
export function createSunfishSim(options: SunfishSimOptions): SunfishSim {
  const { clock, random, aliases = 'absent' } = options;
  const monotonic = () => clock.monotonic();
  const pool = new Pool(options.devices, options.machines, monotonic);
  const state = stateOf({ ...options, expand: false, blockState: 'stuck' }, pool);
  const attachMs = drawer(options.attachMs, random);
  const detachMs = drawer(options.detachMs, random);
  const agent = new Agent({ clock, state, attachMs, detachMs });
  const store = new Store();
  const faults = new FaultBook();
  const log = new CallLog(monotonic);
  const newId = () => Math.floor(random() * 2 ** 52).toString(16);
  const core = createCore({ clock, faults, log, protocols: [createSunfish({ store, agent, aliases, newId })] });
  const root = serviceRoot(state);
  upload(store, root);
  return {
    faults,
    memory: state.memory,
    handle: (request, signal) => core.handle(request, signal),
    setAgentUp: (up) => {
      agent.up = up;
    },
    resync: () => {
      upload(store, root);
    },
    ...hands(pool, log),
  };
}
