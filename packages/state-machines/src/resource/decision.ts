import type { FailureKind, Operation, ResourceState } from '@cro/crd-types';
import type { Device, NoFenceReason, ResourceRequest } from './outcome.ts';

/** Why a resource is not Ready (or that it is): the `reason` of its conditions. */
export type ResourceReason =
  | FailureKind
  | NoFenceReason
  | 'Online'
  | 'Attaching'
  | 'Detaching'
  | 'Deleting'
  | 'Paused'
  | 'Detached'
  | 'NodeNotReady'
  | 'NodeGone'
  | 'WaitingForNode'
  | 'WaitingForLane'
  | 'NotVisible'
  | 'StillVisible'
  | 'NotIdentified'
  | 'InUse'
  | 'Unhealthy'
  | 'Settling';

/** What stands in the object's status: written when it differs from what is there, and only then. */
export interface ResourceReport {
  readonly state: ResourceState;
  readonly reason: ResourceReason;
  /** For a person. Stable: the same situation has the same text. */
  readonly message: string;
  /** Whether `message` also stands in `status.error`. */
  readonly error: boolean;
}

/** When to look again without an event. `backoff` grows with each try in a row. */
export type Again =
  | { readonly tag: 'event' }
  | { readonly tag: 'after'; readonly ms: number }
  | { readonly tag: 'backoff'; readonly atLeastMs?: number };

/** A write, guarded by the interpreter against everything that could have changed meanwhile. */
export type ResourceChange =
  | { readonly tag: 'addFinalizer' }
  | { readonly tag: 'removeFinalizer' }
  /** Ids from the labels of an object that the syncer made. */
  | { readonly tag: 'takeIdsFromLabels'; readonly report: ResourceReport }
  /** Where the device is, as `locate` found it. */
  | { readonly tag: 'recordLocation' }
  | { readonly tag: 'report'; readonly report: ResourceReport }
  /** The condition Fenced: why there is no fence, or that there is one after all. */
  | { readonly tag: 'noteFence'; readonly missing?: { readonly reason: NoFenceReason; readonly message: string } }
  | { readonly tag: 'openTicket'; readonly ticket: Operation; readonly report: ResourceReport }
  | { readonly tag: 'updateTicket'; readonly ticket: Operation }
  /** The fabric is done, the device is not identified: its id is kept, the ticket stays in phase `attached`. */
  | { readonly tag: 'markAttached'; readonly device: Device; readonly report: ResourceReport }
  /** Removes the ticket. With `device`, its ids go in with the same write. `released`: the device went back. */
  | {
      readonly tag: 'closeTicket';
      readonly device?: Device;
      readonly released: boolean;
      readonly report: ResourceReport;
    }
  /** Ids without a ticket: a device that was there already. */
  | { readonly tag: 'recordDevice'; readonly device: Device; readonly report: ResourceReport }
  | { readonly tag: 'recordReleased'; readonly report: ResourceReport }
  /** The ids are gone with the device. */
  | { readonly tag: 'clearDevice'; readonly report: ResourceReport };

/** What is written before a request, and decides nothing. */
export type NoteBefore = Extract<ResourceChange, { readonly tag: 'report' | 'noteFence' }>;

/** The one thing to do next. */
export type ResourceDecision =
  /** Write, then step again with what was written: at once, or after `pause` when the write tells of a failure. */
  | { readonly tag: 'save'; readonly change: ResourceChange; readonly pause?: Again }
  /** Perform. `change` is written first, when it says something new: it would come too late afterwards. */
  | { readonly tag: 'request'; readonly request: ResourceRequest; readonly change?: NoteBefore }
  | { readonly tag: 'wait'; readonly report: ResourceReport; readonly again: Again }
  /** Let the running operation end. */
  | { readonly tag: 'await' }
  /** Give up the running operation: nothing was recorded for it. */
  | { readonly tag: 'abort' }
  | { readonly tag: 'nothing' };
