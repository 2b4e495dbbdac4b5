import type { Clock } from '@cro/clock';
import { CmBook } from './cm/book.ts';
import { createCm } from './cm/cm.ts';
import { CallLog } from './core/call-log.ts';
import { createCore } from './core/core.ts';
import type { FabricCore } from './core/http.ts';
import { drawer, type Duration } from './duration.ts';
import { FaultBook } from './faults/fault-book.ts';
import { createCiMock } from './fm/ci-mock.ts';
import { createFm } from './fm/fm.ts';
import { hands, type Hands } from './hands.ts';
import { createIdManager, type Credentials } from './id-manager/id-manager.ts';
import { TokenBook } from './id-manager/token-book.ts';
import type { DeviceSpec, MachineSpec } from './pool/device.ts';
import { Lanes, type WhenBusy } from './pool/lanes.ts';
import { Pool } from './pool/pool.ts';

/** What a simulator is made of. */
export interface FabricSimOptions {
  readonly clock: Clock;
  /** A number in [0, 1): for tokens and for durations that are ranges. */
  readonly random: () => number;
  readonly devices: readonly DeviceSpec[];
  readonly machines: readonly MachineSpec[];
  /** UUID of the one tenant. */
  readonly tenant: string;
  /** UUID of the one cluster that CM knows. {@link defaultCluster} unless given. */
  readonly cluster?: string;
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
  /** Status of FM's detach that was done. 200 unless given. */
  readonly detachStatus?: 200 | 204;
  /** Whose FM this is: the product's, or the mock that CoHDI tests against (cohdi-ci-mock). `product` unless given. */
  readonly fmDialect?: 'product' | 'ciMock';
  /** Status of CM's resize that was accepted. 200 unless given. */
  readonly resizeStatus?: 200 | 202;
  /** How many devices of one spec CM lets a machine have. 16 unless given. */
  readonly maxPerSpec?: number;
}

/** Cluster of a simulator that was told none. */
export const defaultCluster = '00000000-2000-4000-8000-000000000000';

/** Credentials that the id_manager takes when no others are given. */
export const defaultCredentials: Credentials = {
  realm: 'cdi',
  username: 'operator',
  password: 'simulated-password',
  clientId: 'cro',
  clientSecret: 'simulated-secret',
};

/** A simulated fabric: the Fabric Manager, the Cluster Manager and their id_manager, and the hands that reach behind them. */
export interface FabricSim extends FabricCore, Hands {
  readonly tenant: string;
  readonly cluster: string;
  readonly credentials: Credentials;
  /** From now on the id_manager takes these and no others. Tokens that it gave out stay good. */
  setCredentials(next: Credentials): void;
  /** Faults to come. */
  readonly faults: FaultBook;
  /** The most changes that were asked of this machine at one time. */
  maxConcurrent(machUuid: string): number;
  /** Makes all tokens unknown, as a restarted id_manager would. */
  revokeTokens(): void;
}

/** Makes a simulated fabric. Nothing listens yet: see `serve` for a socket, or call `handle`. */
export function createFabricSim(options: FabricSimOptions): FabricSim {
  const { clock, random, tenant, cluster = defaultCluster } = options;
  let { credentials = defaultCredentials } = options;
  const monotonic = () => clock.monotonic();
  const pool = new Pool(options.devices, options.machines, monotonic);
  const lanes = new Lanes(options.whenBusy ?? 'queue');
  const tokens = new TokenBook(clock, random, options.tokenLifetimeSeconds ?? 3600);
  const faults = new FaultBook();
  const log = new CallLog(monotonic);
  const attachMs = drawer(options.attachMs, random);
  const detachMs = drawer(options.detachMs, random);
  const common = { clock, pool, lanes, tokens, tenant, attachMs, detachMs };
  const { resizeStatus = 200, maxPerSpec = 16, detachStatus = 200 } = options;
  const context = { ...common, detachStatus };
  const cm = createCm({ ...common, cluster, book: new CmBook(pool), resizeStatus, maxPerSpec });
  const product = [createIdManager(() => credentials, tokens), createFm(context), cm];
  const protocols = options.fmDialect === 'ciMock' ? [createCiMock(context)] : product;
  const core = createCore({ clock, faults, log, protocols });
  return {
    tenant,
    cluster,
    get credentials() {
      return credentials;
    },
    setCredentials: (next) => {
      credentials = next;
    },
    faults,
    handle: (request, signal) => core.handle(request, signal),
    maxConcurrent: (machUuid) => lanes.maxConcurrent(machUuid),
    revokeTokens: () => {
      tokens.revokeAll();
    },
    ...hands(pool, log),
  };
}
