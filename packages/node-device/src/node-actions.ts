import type { IdentityQuestion } from './identity.ts';
import type { IdentifyOutcome, LoadOutcome, NodeOutcome } from './outcomes.ts';
import type { Visible } from './visibility.ts';

/** A device on a node, and the object that it belongs to. */
export interface NodeDeviceRef {
  /** Name of the Node. */
  readonly node: string;
  /** What the node knows the device by: the UUID of a GPU. */
  readonly deviceId: string;
  /** Name of the ComposableResource. */
  readonly resource: string;
}

/** A device that is to be taken off its node. */
export interface DrainRequest extends NodeDeviceRef {
  /** Skips the question who holds the device, never the orderly removal. */
  readonly force: boolean;
}

/** What a node is to show of a device: one that came, or one that left. */
export type WantedVisibility = Exclude<Visible, 'unknown'>;

/**
 * What needs a command on a node, for one vendor's devices. What keeps new pods from a device is a `Fence`, and the same for all. Each action may be repeated after a
 * crash: it looks first and does what is left. Expected failures are returned; a throw is a bug, except when `signal`
 * aborts, which rejects with its reason.
 */
export interface NodeActions {
  /** Short name for logs: `none`, or one name for each vendor. */
  readonly name: string;
  /** Makes sure that the node has a driver for the device. */
  ensureDriver(node: string, signal: AbortSignal): Promise<NodeOutcome>;
  /** Makes the node's software look again which devices it has. `wanted`: what it should then show of this device. */
  refresh(ref: NodeDeviceRef, wanted: WantedVisibility, signal: AbortSignal): Promise<NodeOutcome>;
  /** Finds the node's name for a device of which the fabric knows only hints: serial numbers, model, a UUID. */
  identify(question: IdentityQuestion, signal: AbortSignal): Promise<IdentifyOutcome>;
  /** Asks whether something uses the device. */
  findLoad(ref: NodeDeviceRef, signal: AbortSignal): Promise<LoadOutcome>;
  /**
   * Asks whether the cluster has given the device to somebody, by what is watched: no command and no request. `idle` also where nothing that
   * is watched tells. Asked once the fence stands.
   */
  findAllocation(ref: NodeDeviceRef): Promise<LoadOutcome>;
  /** Takes the device off the node in order. `done` when it is gone already. */
  drain(request: DrainRequest, signal: AbortSignal): Promise<NodeOutcome>;
  /** A ComposableResource is gone, and nothing runs for it any more: what is remembered for it is another's from now on. */
  forgetResource?(name: string): void;
  /** A Node is gone: one that comes under its name is another one. */
  forgetNode?(name: string): void;
}
