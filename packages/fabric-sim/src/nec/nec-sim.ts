import type { Clock } from '@cro/clock';
import { CallLog } from '../core/call-log.ts';
import { createCore } from '../core/core.ts';
import type { FabricCore } from '../core/http.ts';
import { FaultBook } from '../faults/fault-book.ts';
import { drawer, type Duration } from '../duration.ts';
import { hands, type Hands } from '../hands.ts';
import type { DeviceSpec, MachineSpec } from '../pool/device.ts';
import { Pool } from '../pool/pool.ts';
import type { ApplyRecord } from './apply-record.ts';
import { Applies } from './applies.ts';
import { createConfigurationManager } from './configuration-manager.ts';
import type { NecContext, NecDialect } from './context.ts';
import { gated } from './gate.ts';
import { Hardware } from './hardware.ts';
import { createHwControl } from './hw-control.ts';
import { createLayoutApply } from './layout-apply.ts';
import { Marks } from './marks.ts';
import { steps } from './nec-hands.ts';
import { View } from './view.ts';

/** What a simulated CDIM is made of. A machine's `machUuid` is the deviceID of its CPU. */
export interface NecSimOptions {
  readonly clock: Clock;
  /** A number in [0, 1): for applyIDs and for durations that are ranges. */
  readonly random: () => number;
  readonly devices: readonly DeviceSpec[];
  readonly machines: readonly MachineSpec[];
  /** `oss` unless given. */
  readonly dialect?: NecDialect;
  /** Time that one connect takes. 0 unless given. */
  readonly attachMs?: Duration;
  /** Time that one disconnect takes. 0 unless given. */
  readonly detachMs?: Duration;
  /** How long `/resources` shows the old links after a change: 0 unless given; `Infinity`: until a synchronisation. */
  readonly viewLagMs?: Duration;
  /** How long a synchronisation that was asked for takes. 0 unless given. */
  readonly syncMs?: Duration;
  /** Bearer token that is asked for. None unless given, as on the services' own ports. */
  readonly token?: string;
}

/** What reaches behind a CDIM, beyond what every simulated fabric has. */
export interface NecHands {
  /** Every apply, in the order in which they began. */
  applies(): readonly ApplyRecord[];
  /**
   * Puts an apply of somebody else there, at which nobody works. It answers the applyID. With `worker: 'dead'` an IN_PROGRESS
   * one is unblocked by a cancel.
   */
  foreignApply(status: ApplyRecord['status'], worker?: ApplyRecord['worker']): string;
  /** Ends it, or any other apply, with this status. */
  setApply(applyID: string, status: ApplyRecord['status']): void;
  /** Removes an apply from the history, as DELETE does. */
  forgetApply(applyID: string): void;
  /** Makes `/resources` show everything as it is. */
  sync(): void;
  /** Marks a resource for maintenance, or takes the mark away. */
  setAvailable(id: string, available: boolean): void;
  /** Puts a resource into groups. */
  setGroups(id: string, groups: readonly string[]): void;
  /** Makes a device part of its machine: it cannot be taken off. */
  setBuiltIn(id: string, machine: string): void;
  /** Sets a device's serial number; it may be empty. */
  setSerialNumber(id: string, serial: string): void;
  /** Says whether the last synchronisation found a resource. */
  setDetected(id: string, detected: boolean): void;
  /** The bearer token that is asked for from now on; `undefined`: none. */
  setToken(token: string | undefined): void;
}

/** A simulated CDIM: configuration-manager, layout-apply, hw-control and the exporter's call, at one address. */
export interface NecSim extends FabricCore, Hands, NecHands {
  /** Faults to come. */
  readonly faults: FaultBook;
}

/** Makes a simulated CDIM. Nothing listens yet: see `serve` for a socket, or call `handle`. */
export function createNecSim(options: NecSimOptions): NecSim {
  const { clock, random, dialect = 'oss' } = options;
  const monotonic = () => clock.monotonic();
  const pool = new Pool(options.devices, options.machines, monotonic);
  const marks = new Marks();
  const context: NecContext = {
    clock,
    pool,
    marks,
    hardware: new Hardware(pool, marks),
    view: new View(pool, clock, drawer(options.viewLagMs, random)),
    dialect,
    random,
    connectMs: drawer(options.attachMs, random),
    disconnectMs: drawer(options.detachMs, random),
    syncMs: drawer(options.syncMs, random),
  };
  const applies = new Applies(context);
  const faults = new FaultBook();
  const log = new CallLog(monotonic);
  const gate = { token: options.token };
  const services = [createLayoutApply(context, applies), createHwControl(context), createConfigurationManager(context)];
  const protocols = services.map((service) => gated(service, () => gate.token));
  const core = createCore({ clock, faults, log, protocols });
  return {
    faults,
    handle: (request, signal) => core.handle(request, signal),
    ...hands(pool, log),
    ...steps(context, applies),
    setToken: (token) => {
      gate.token = token;
    },
  };
}
