import type { Clock } from '@cro/clock';
import { CallLog } from '../core/call-log.ts';
import { createCore } from '../core/core.ts';
import type { FabricCore } from '../core/http.ts';
import { drawer, type Duration } from '../duration.ts';
import { FaultBook } from '../faults/fault-book.ts';
import { hands, type Hands } from '../hands.ts';
import type { DeviceSpec, MachineSpec } from '../pool/device.ts';
import { Lanes, type WhenBusy } from '../pool/lanes.ts';
import { Pool } from '../pool/pool.ts';
import { Gate, type RedfishCredentials } from './auth.ts';
import { ConnectionBook } from './connections.ts';
import { Etags } from './etags.ts';
import { MemoryBook, type MemoryDomainSpec } from './memory.ts';
import { createRedfish } from './service.ts';
import type { RedfishState, RedfishStyle } from './state.ts';
import { TaskBook } from './tasks.ts';
import { serviceRoot } from './views/root.ts';

/** What a simulated Redfish service is made of. */
export interface RedfishSimOptions extends Partial<RedfishStyle> {
  readonly clock: Clock;
  /** A number in [0, 1): for session tokens and for durations that are ranges. */
  readonly random: () => number;
  readonly devices: readonly DeviceSpec[];
  readonly machines: readonly MachineSpec[];
  /** Pools of CXL memory. None unless given. */
  readonly memory?: readonly MemoryDomainSpec[];
  /** Who may come in. Everybody unless given. */
  readonly credentials?: RedfishCredentials;
  /** Time to attach one device. 0 unless given. */
  readonly attachMs?: Duration;
  /** Time to detach one device. 0 unless given. */
  readonly detachMs?: Duration;
  /** What becomes of a change on a machine that is busy with another. `queue` unless given. */
  readonly whenBusy?: WhenBusy;
  /** Whether ETags are sent and If-Match is looked at. `optional` unless given. */
  readonly etags?: 'none' | 'optional' | 'required';
  /** Changes are answered 202 with a task monitor. False unless given. */
  readonly asynchronous?: boolean;
}

/** A simulated Redfish service, and the hands that reach behind it. */
export interface RedfishSim extends FabricCore, Hands {
  /** Faults to come. */
  readonly faults: FaultBook;
  /** The pools of memory and their chunks. */
  readonly memory: MemoryBook;
  /** The most changes that were asked of this machine at one time. */
  maxConcurrent(machUuid: string): number;
  /** Forgets its sessions and its tasks, as a restarted service would. */
  restart(): void;
}

/** Makes a simulated Redfish composition service. Nothing listens yet: see `serve` for a socket, or call `handle`. */
export function createRedfishSim(options: RedfishSimOptions): RedfishSim {
  const { clock, random, asynchronous = false } = options;
  const monotonic = () => clock.monotonic();
  const pool = new Pool(options.devices, options.machines, monotonic);
  const state = stateOf(options, pool);
  const lanes = new Lanes(options.whenBusy ?? 'queue');
  const faults = new FaultBook();
  const log = new CallLog(monotonic);
  const gate = new Gate(options.credentials, random);
  const tasks = new TaskBook();
  const service = createRedfish({
    clock,
    lanes,
    faults,
    state,
    root: serviceRoot(state, asynchronous ? tasks.entry() : undefined),
    gate,
    etags: new Etags(),
    tasks,
    attachMs: drawer(options.attachMs, random),
    detachMs: drawer(options.detachMs, random),
    etagRule: options.etags ?? 'optional',
    asynchronous,
  });
  const core = createCore({ clock, faults, log, protocols: [service] });
  return {
    faults,
    memory: state.memory,
    handle: (request, signal) => core.handle(request, signal),
    maxConcurrent: (machUuid) => lanes.maxConcurrent(machUuid),
    restart: () => {
      gate.revoke();
      tasks.forget();
    },
    ...hands(pool, log),
  };
}

/** The state behind a service, with the defaults of its style. */
export function stateOf(options: Partial<RedfishStyle> & Pick<RedfishSimOptions, 'memory'>, pool: Pool): RedfishState {
  const { composeBy = 'patch', blockState = 'live', expand = true, zones = {}, memory = [] } = options;
  return {
    pool,
    memory: new MemoryBook(memory),
    connections: new ConnectionBook(),
    style: { composeBy, blockState, expand, zones },
  };
}
