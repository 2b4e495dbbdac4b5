import type { DeviceType, Failure, Operation } from '@cro/crd-types';

/** A ticket: what was prepared, saved before the fabric is called. See {@link Operation} for its fields. */
export type Ticket = Operation;

/** The two names of a device. A fabric always gives `cdiDeviceId`; `deviceId` only when it knows what the node calls it. */
export interface DeviceIds {
  /** What the node knows the device by (the UUID of a GPU). */
  readonly deviceId?: string;
  /** What the fabric knows the device by. */
  readonly cdiDeviceId: string;
}

/** What helps to recognise a device on its node where the fabric does not know the node's id for it. */
export interface IdentityHints {
  readonly serialNumber?: string;
  /** A UUID that the fabric has for it and that may be the node's: believed only when the node shows that very one. */
  readonly uuid?: string;
  /** For memory: its size in MiB. What the node had before is noted by the operator. */
  readonly memoryMiB?: string;
  /** For CXL memory: the id of its logical device, the same on the fabric and on the node. */
  readonly gcxlId?: string;
  readonly pcieSerialNumber?: string;
  readonly pcieVendorId?: string;
  readonly pcieDeviceId?: string;
  readonly model?: string;
}

/** Health of a device, as its fabric sees it. `missing`: the fabric does not list it on that machine. */
export type Health =
  | { readonly level: 'ok' }
  | { readonly level: 'warning' | 'critical' | 'unknown' | 'missing'; readonly message: string };

/** A device that is attached to a machine. */
export interface AttachedDevice extends DeviceIds {
  readonly health: Health;
  readonly hints?: IdentityHints;
}

/** What an attach is for. */
export interface AttachRequest {
  readonly op: 'attach';
  /** uid of the ComposableResource. */
  readonly holder: string;
  readonly type: DeviceType;
  readonly model: string;
  readonly machine: string;
  /** `cdiDeviceId`s that other tickets and resources hold: never to be taken for this one. */
  readonly claimed: readonly string[];
}

/** What a detach is for. At least one id is known. */
export interface DetachRequest {
  readonly op: 'detach';
  readonly holder: string;
  readonly type: DeviceType;
  readonly model: string;
  readonly machine: string;
  readonly device: { readonly deviceId?: string; readonly cdiDeviceId?: string };
  readonly claimed: readonly string[];
}

/** What `prepare` is given. */
export type PrepareRequest = AttachRequest | DetachRequest;

/**
 * Answer of `prepare`. Nothing has been changed on the fabric.
 *
 * - `ticket`: save it, then `start` it.
 * - `already`: the goal is reached. For an attach, `device` is the one; for a detach the device is gone.
 * - `failed`: nothing was recorded, the lane is free for others.
 */
export type PrepareOutcome =
  | { readonly tag: 'ticket'; readonly ticket: Ticket }
  | { readonly tag: 'already'; readonly device?: AttachedDevice }
  | { readonly tag: 'failed'; readonly failure: Failure };

/**
 * The operation is over and did what it should. `device` is set for an attach and absent for a detach. `surplus` are
 * devices that the same operation brought beyond the one asked for: they are given back at once.
 */
export interface Done {
  readonly tag: 'done';
  readonly device?: AttachedDevice;
  readonly surplus?: readonly AttachedDevice[];
}

/** The fabric is at work. Save `ticket` if it is given, and look again after `retryAfterMs`. */
export interface Pending {
  readonly tag: 'pending';
  readonly ticket?: Ticket;
  readonly retryAfterMs: number;
}

/** Answer of `start`. `refused`: certain that nothing changed and nothing will. `inDoubt`: ask `resume`. */
export type StartOutcome =
  | Done
  | Pending
  | { readonly tag: 'refused'; readonly failure: Failure }
  | { readonly tag: 'inDoubt'; readonly failure: Failure };

/**
 * Answer of `resume`.
 *
 * - `notDone`: certain that the operation neither happened nor will.
 * - `unchanged`: the fabric looks as it did in `prepare`. The call may still be under way: after the settle window this
 *   counts as `notDone`, for the reason in `failure` if there is one.
 * - `inDoubt`: cannot be told now (the fabric did not answer, or what it shows is ambiguous).
 */
export type ResumeOutcome =
  | Done
  | Pending
  | { readonly tag: 'notDone'; readonly failure?: Failure }
  | { readonly tag: 'unchanged'; readonly retryAfterMs: number; readonly failure?: Failure }
  | { readonly tag: 'inDoubt'; readonly failure: Failure };
