import type { Failure, Operation } from '@cro/crd-types';

/** A device that the fabric attached. `deviceId` is absent where the fabric does not know the node's name for it. */
export interface Device {
  readonly deviceId?: string;
  readonly cdiDeviceId: string;
}

/** Why there is no fence: the cluster does not serve it, or does not let us put one up. */
export type NoFenceReason = 'FenceNotServed' | 'FenceForbidden';

/** What the machine can ask the interpreter to do, beyond writing. All are idempotent but `start`, which runs once a ticket. */
export type ResourceRequest =
  /** Make sure that the node has a driver for the device. */
  | 'ensureDriver'
  /** Look for exactly one unowned device of the model on the machine (objects inherited in doubt). */
  | 'findUnowned'
  /** Ask the fabric whether it has the device on the machine, owned by nobody else: ids from labels anybody may have written. */
  | 'confirmOnFabric'
  /** Take the lane, read the fabric, make a ticket. */
  | 'prepareAttach'
  | 'prepareDetach'
  /** Call the fabric for the saved ticket. */
  | 'start'
  /** Find out what became of the ticket. */
  | 'resume'
  /** Find the fabric's machine of the node, for objects that do not say it. */
  | 'locate'
  /** Find the node's id of the device. */
  | 'identify'
  /** Make the node notice a device that came or went. */
  | 'refreshNode'
  /** Ask whether something uses the device. */
  | 'findLoad'
  /** Keep new pods from the device. */
  | 'fence'
  /** Ask the cluster once more whom the device was given to: somebody may have got it before the fence stood. Nothing is asked on the node. */
  | 'findAllocation'
  /** Make the node let go of the device. */
  | 'drain'
  | 'unfence'
  /** Note that the syncer must leave this device alone. */
  | 'spareDevice'
  /** Delete the object itself. */
  | 'deleteSelf';

/** One member of the union for each request named, so that the compiler can tell them apart by `request`. */
type Each<R extends ResourceRequest, Ends> = R extends ResourceRequest ? { readonly request: R } & Ends : never;

interface Done {
  readonly tag: 'done';
}
interface Failed {
  readonly tag: 'failed';
  readonly failure: Failure;
}
/** The cluster offers no way to keep new pods from the device. `goOn`: then the device leaves without. */
interface Unfenceable {
  readonly tag: 'unavailable';
  readonly reason: NoFenceReason;
  readonly message: string;
  readonly goOn: boolean;
}
type Prepared =
  | { readonly tag: 'ticket'; readonly ticket: Operation }
  | { readonly tag: 'already'; readonly device?: Device }
  | Failed;
type FabricEnd =
  | { readonly tag: 'done'; readonly device?: Device }
  | { readonly tag: 'pending'; readonly ticket?: Operation; readonly retryAfterMs: number }
  | { readonly tag: 'inDoubt'; readonly failure: Failure };
type Started = FabricEnd | { readonly tag: 'refused'; readonly failure: Failure };
type Resumed =
  | FabricEnd
  | { readonly tag: 'notDone'; readonly failure?: Failure }
  /** `settled`: the settle window was over when this read began. */
  | {
      readonly tag: 'unchanged';
      readonly settled: boolean;
      readonly retryAfterMs: number;
      readonly failure?: Failure | undefined;
    };

/** The typed result of each request. */
export type ResourceOutcome =
  | Each<'ensureDriver' | 'refreshNode' | 'drain' | 'unfence' | 'spareDevice' | 'deleteSelf', Done | Failed>
  | Each<'fence', Done | Unfenceable | Failed>
  | Each<'findUnowned', { readonly tag: 'one'; readonly device: Device } | { readonly tag: 'noneOrMany' } | Failed>
  | Each<'confirmOnFabric', { readonly tag: 'attached' } | { readonly tag: 'notAttached' } | Failed>
  | Each<'prepareAttach' | 'prepareDetach', Prepared>
  | Each<'start', Started>
  | Each<'resume', Resumed>
  | Each<'locate', { readonly tag: 'located' } | Failed>
  | Each<
      'identify',
      | { readonly tag: 'identified'; readonly device: Device }
      | { readonly tag: 'notYet'; readonly message: string }
      | Failed
    >
  | Each<
      'findLoad' | 'findAllocation',
      { readonly tag: 'idle' } | { readonly tag: 'inUse'; readonly by: string } | Failed
    >;
