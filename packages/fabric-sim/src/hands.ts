import type { CallCounts, CallLog, CallRecord } from './core/call-log.ts';
import type { Device, FabricEvent, OpStatus } from './pool/device.ts';
import type { Pool, Snapshot } from './pool/pool.ts';

/** What every simulated fabric lets its user see and do behind its interface. */
export interface Hands {
  /** How many calls of each kind came in. */
  calls(): CallCounts;
  /** The last calls, oldest first. */
  callLog(): readonly CallRecord[];
  /** Tells of each device that comes or goes, after the fact. The listener must not throw. The result ends it. */
  subscribe(listener: (event: FabricEvent) => void): () => void;
  /** The devices on a machine, in order of arrival. */
  attachedTo(machUuid: string): readonly Device[];
  /** What is attached where. */
  snapshot(): Snapshot;
  /** Moves a device by hand: to a machine, or to the pool (`undefined`). Nobody is asked and no call is counted. */
  move(resUuid: string, machUuid: string | undefined): void;
  /** Sets a device's `res_op_status`: 0 ok, 1 warning, 2 critical, others unknown. */
  setHealth(resUuid: string, opStatus: OpStatus): void;
  /** Throws, naming the devices, unless each device is where it began. */
  assertPoolWhole(): void;
}

/** The hands on a pool and its call log. */
export function hands(pool: Pool, log: CallLog): Hands {
  return {
    calls: () => log.counts(),
    callLog: () => log.records(),
    subscribe: (listener) => pool.subscribe(listener),
    attachedTo: (machUuid) => pool.attachedTo(machUuid),
    snapshot: () => pool.snapshot(),
    move: (resUuid, machUuid) => {
      pool.move(resUuid, machUuid);
    },
    setHealth: (resUuid, opStatus) => {
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
