import type { DeviceType, Decoded, Failure } from '@cro/crd-types';
import type { CallContext } from '../contract/provider.ts';
import type { AttachedDevice, AttachRequest, DetachRequest, IdentityHints, Ticket } from '../contract/ticket.ts';

/** What could not be found out. */
export interface Failed {
  readonly tag: 'failed';
  readonly failure: Failure;
}

/** The device that an operation is about, and what else the provider has to remember of it. */
export interface Subject<Notes> {
  readonly cdiDeviceId: string;
  /** What helps to recognise the device on its node. */
  readonly hints?: IdentityHints;
  /** What else nobody may choose while the ticket is open: it comes back among `claimed`, beside the device's id. */
  readonly claims?: readonly string[];
  /** Plain JSON of the provider's own: it comes back with the ticket. */
  readonly notes: Notes;
}

/** An operation on one device of one machine. */
export interface OperationTarget<Notes> extends Subject<Notes> {
  /** The ticket's id. */
  readonly id: string;
  readonly op: Ticket['op'];
  readonly type: DeviceType;
  readonly model: string;
  readonly machine: string;
}

/**
 * Answer to the request for the change. `accepted`: the fabric will do it; `operation` is its name for that, if it has one, and
 * `retryAfterMs` how long it wants to be left alone.
 */
export type Submitted =
  | { readonly tag: 'done'; readonly device?: AttachedDevice }
  | { readonly tag: 'accepted'; readonly operation?: string; readonly retryAfterMs?: number }
  | { readonly tag: 'refused'; readonly failure: Failure }
  | { readonly tag: 'inDoubt'; readonly failure: Failure };

/**
 * Where an operation of the fabric stands.
 *
 * - `running`: at work. With a `failure` it needs a person, or has taken too long. `sign` is what it looks like: while that changes, it
 *   moves. `retryAfterMs`: the fabric wants to be left alone for that long.
 * - `ended`: it says that it did what it should.
 * - `undone`: certain that it changed nothing and never will.
 * - `unclear`: it is over, and whether it changed something only the fabric's state can tell.
 * - `gone`: the fabric does not know it any more.
 */
export type OperationStatus =
  | { readonly tag: 'running'; readonly failure?: Failure; readonly sign?: string; readonly retryAfterMs?: number }
  | { readonly tag: 'ended' }
  | { readonly tag: 'undone'; readonly failure: Failure }
  | { readonly tag: 'unclear'; readonly failure: Failure }
  | { readonly tag: 'gone' }
  | Failed;

/**
 * Whether the goal of an operation is reached, by what the fabric shows. `notReached` may say what seems to be in its way.
 * `refused`: it cannot be reached any more.
 */
export type GoalLook =
  | { readonly tag: 'reached'; readonly device?: AttachedDevice }
  | { readonly tag: 'working' }
  | { readonly tag: 'notReached'; readonly failure?: Failure }
  | { readonly tag: 'refused'; readonly failure: Failure }
  | Failed;

/** What a fabric supplies that takes requests for changes and works on them by itself, to do one of them. */
export interface ChangeFabric<Notes> {
  /** Checks the notes of a ticket that comes back. */
  readonly decodeNotes: (value: unknown) => Decoded<Notes>;
  /** Finds the device that is to leave. On another machine: `failed` with `Conflict`. */
  readonly find: (
    request: DetachRequest,
    context: CallContext,
  ) => Promise<{ readonly tag: 'found'; readonly subject: Subject<Notes> } | { readonly tag: 'gone' } | Failed>;
  /** Asks for the change. Called once for a ticket. */
  readonly submit: (target: OperationTarget<Notes>, context: CallContext) => Promise<Submitted>;
  /**
   * Asks where an operation stands: one call. It may also end one that is stuck, which is idempotent. Absent: the fabric gives
   * operations no names, and `look` alone tells.
   */
  readonly poll?: (operation: string, target: OperationTarget<Notes>, context: CallContext) => Promise<OperationStatus>;
  /** Looks for the operation of a request whose answer was lost. Absent: the fabric keeps no record of them. */
  readonly search?: (
    target: OperationTarget<Notes>,
    context: CallContext,
  ) => Promise<{ readonly tag: 'found'; readonly operation: string } | { readonly tag: 'none' } | Failed>;
  /** Reads whether the device is where the operation was to bring it. */
  readonly look: (target: OperationTarget<Notes>, context: CallContext) => Promise<GoalLook>;
  /** How long what the fabric shows may lag behind what it did, in milliseconds. Beyond it a person is told. */
  readonly lagMs: number;
}

/** A fabric that is asked for a device by name, to attach it too. */
export interface OperationFabric<Notes> extends ChangeFabric<Notes> {
  /** Chooses a free device that nobody claims. */
  readonly choose: (
    request: AttachRequest,
    context: CallContext,
  ) => Promise<{ readonly tag: 'chosen'; readonly subject: Subject<Notes> } | Failed>;
}
