import type { Failure, RequestState } from '@cro/crd-types';
import type { Again } from '../resource/decision.ts';

/** Which children a request has, and where: name to node. Made by the allocation policy, names chosen by the interpreter. */
export type Plan = Readonly<Record<string, string>>;

/** What the machine can ask the interpreter to do. All are idempotent. */
export type RequestRequest =
  'plan' | 'createChildren' | 'deleteExtraChildren' | 'deleteAllChildren' | 'ownChildren' | 'deleteSelf';

/** Why a request cannot be placed now. */
export type UnplaceableReason = 'InsufficientNodes' | 'TargetNodeMissing' | 'TargetNodeUnfit' | 'Conflict';

/** The typed result of each request. `unplaceable` keeps what still fits in `plan`. */
export type RequestOutcome =
  | { readonly request: 'plan'; readonly tag: 'planned'; readonly plan: Plan }
  | {
      readonly request: 'plan';
      readonly tag: 'unplaceable';
      readonly reason: UnplaceableReason;
      readonly message: string;
      readonly plan: Plan;
    }
  | { readonly request: Exclude<RequestRequest, 'plan'>; readonly tag: 'done' }
  | { readonly request: Exclude<RequestRequest, 'plan'>; readonly tag: 'failed'; readonly failure: Failure };

/** Why a request is not Ready (or that it is): the `reason` of its conditions. */
export type RequestReason =
  | Failure['kind']
  | UnplaceableReason
  | 'Running'
  | 'Planned'
  | 'WaitingForDevices'
  | 'WaitingForNode'
  | 'TargetNodeGone'
  | 'DeviceFailing'
  | 'Paused'
  | 'Cleaning'
  | 'Deleting';

/** What stands in the object's status: written when it differs from what is there, and only then. */
export interface RequestReport {
  readonly state: RequestState;
  readonly reason: RequestReason;
  readonly message: string;
  /** Whether `message` also stands in `status.error`. */
  readonly error: boolean;
}

/** A write. */
export type RequestChange =
  | { readonly tag: 'addFinalizer' }
  | { readonly tag: 'removeFinalizer' }
  | { readonly tag: 'report'; readonly report: RequestReport }
  /** The plan for the present spec; `placed` is false while something could not be placed. */
  | { readonly tag: 'recordPlan'; readonly plan: Plan; readonly placed: boolean; readonly report: RequestReport };

/** The one thing to do next. */
export type RequestDecision =
  | { readonly tag: 'save'; readonly change: RequestChange; readonly pause?: Again }
  /** Perform. `report` is written first, when it says something new: it would come too late afterwards. */
  | { readonly tag: 'request'; readonly request: RequestRequest; readonly report?: RequestReport }
  | { readonly tag: 'wait'; readonly report: RequestReport; readonly again: Again }
  | { readonly tag: 'nothing' };
