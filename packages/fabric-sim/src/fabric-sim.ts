import type { Clock } from '@cro/clock';
import { CallLog, type CallCounts, type CallRecord } from './core/call-log.ts';
import { createCore } from './core/core.ts';
import type { FabricCore } from './core/http.ts';
import { FaultBook } from './faults/fault-book.ts';
import { createFm } from './fm/fm.ts';
import { createIdManager, type Credentials } from './id-manager/id-manager.ts';
import { TokenBook } from './id-manager/token-book.ts';
import type { Device, DeviceSpec, FabricEvent, MachineSpec, OpStatus } from './pool/device.ts';
import { Lanes, type WhenBusy } from './pool/lanes.ts';
import { Pool, type Snapshot } from './pool/pool.ts';

/** How long something takes: milliseconds, or a range from which each one is drawn. */
export type Duration = number | { readonly fromMs: number; readonly toMs: number };

/** What a simulator is made of. */
export interface FabricSimOptions {
  readonly clock: Clock;
  /** A number in [0, 1): for tokens and for durations that are ranges. */
  readonly random: () => number;
  readonly devices: readonly DeviceSpec[];
  readonly machines: readonly MachineSpec[];
  /** UUID of the one tenant. */
  readonly tenant: string;
  /** {@link defaultCredentials} unless given. */
  readonly credentials?: Credentials;
  /** Time that the fabric takes to attach one device. 0 unless given. */
  readonly attachMs?: Duration;
  /** Time that the fabric takes to detach one device. 0 unless given. */
  readonly detachMs?: Duration;
  /** 3600 unless given. */
  readonly tokenLifetimeSeconds?: number;
  /** What becomes of a change on a machine that is busy with another. `queue` unless given. */
  readonly whenBusy?: WhenBusy;
  /** Status of a detach that was done. 200 unless given. */
  readonly detachStatus?: 200 | 204;
}

/** Credentials that the id_manager takes when no others are given. */
export const defaultCredentials: Credentials = {
  realm: 'cdi',
  username: 'operator',
  password: 'simulated-password',
  clientId: 'cro',
  clientSecret: 'simulated-secret',
};

/** A simulated fabric: the Fabric Manager and its id_manager, and the hands that reach behind them. */
export interface FabricSim extends FabricCore {
  readonly tenant: string;
  readonly credentials: Credentials;
  /** Faults to come. */
  readonly faults: FaultBook;
  /** How many calls of each kind came in. */
  calls(): CallCounts;
  /** The last calls, oldest first. */
  callLog(): readonly CallRecord[];
  /** The most changes that were asked of this machine at one time. */
  maxConcurrent(machUuid: string): number;
  /** Tells of each device that comes or goes, after the fact. The listener must not throw. The result ends it. */
  subscribe(listener: (event: FabricEvent) => void): () => void;
  /** The devices on a machine, in order of arrival. */
  attachedTo(machUuid: string): readonly Device[];
  /** What is attached where. */
  snapshot(): Snapshot;
  /** Moves a device by hand: to a machine, or to the pool (`undefined`). Nobody is asked and no call is counted. */
  move(resUuid: string, machUuid: string | undefined): void;
  /** Sets a device's `res_op_status`. */
  setHealth(resUuid: string, opStatus: OpStatus): void;
  /** Makes all tokens unknown, as a restarted id_manager would. */
  revokeTokens(): void;
  /** Throws, naming the devices, unless each device is where it began. */
  assertPoolWhole(): void;
}

/** Makes a simulated fabric. Nothing listens yet: see `serve` for a socket, or call `handle`. */
export function createFabricSim(options: FabricSimOptions): FabricSim {
  const { clock, random, tenant, credentials = defaultCredentials } = options;
  const monotonic = () => clock.monotonic();
  const pool = new Pool(options.devices, options.machines, monotonic);
  const lanes = new Lanes(options.whenBusy ?? 'queue');
  const tokens = new TokenBook(clock, random, options.tokenLifetimeSeconds ?? 3600);
  const faults = new FaultBook();
  const log = new CallLog(monotonic);
  const fm = createFm({
    clock,
    pool,
    lanes,
    tokens,
    tenant,
    attachMs: drawer(options.attachMs, random),
    detachMs: drawer(options.detachMs, random),
    detachStatus: options.detachStatus ?? 200,
  });
  const core = createCore({ clock, faults, log, protocols: [createIdManager(credentials, tokens), fm] });
  return {
    tenant,
    credentials,
    faults,
    handle: (request, signal) => core.handle(request, signal),
    calls: () => log.counts(),
    callLog: () => log.records(),
    maxConcurrent: (machUuid) => lanes.maxConcurrent(machUuid),
    revokeTokens: () => {
      tokens.revokeAll();
    },
    ...hands(pool),
  };
}

function hands(pool: Pool) {
  return {
    subscribe: (listener: (event: FabricEvent) => void) => pool.subscribe(listener),
    attachedTo: (machUuid: string) => pool.attachedTo(machUuid),
    snapshot: () => pool.snapshot(),
    move: (resUuid: string, machUuid: string | undefined) => {
      pool.move(resUuid, machUuid);
    },
    setHealth: (resUuid: string, opStatus: OpStatus) => {
      pool.setOpStatus(resUuid, opStatus);
    },
    assertPoolWhole: () => {
      const strays = pool
        .strays()
        .map(({ device, placement }) =>
          placement.tag === 'free'
            ? `${device.resUuid} is in the pool`
            : `${device.resUuid} is ${placement.tag} on ${placement.machine}`,
        );
      if (strays.length > 0) throw new Error(`the pool is not whole: ${strays.join(', ')}`);
    },
  };
}

function drawer(duration: Duration = 0, random: () => number): () => number {
  if (typeof duration === 'number') return () => duration;
  return () => duration.fromMs + random() * (duration.toMs - duration.fromMs);
}
