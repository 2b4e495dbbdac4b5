import type { Failure } from '@cro/crd-types';
import type { NodeDeviceRef, WantedVisibility } from './node-actions.ts';
import type { LoadOutcome, NodeOutcome } from './outcomes.ts';

/** A container through which commands reach the driver of a node. */
export interface DriverPlace {
  /** `container`: the driver lives in this very container. `host`: it is on the host, whose root the container has at `/host-root`. */
  readonly driver: 'container' | 'host';
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** Where a node's driver is reached. */
export type DriverLookup =
  | { readonly tag: 'place'; readonly place: DriverPlace }
  /** Nothing runs a driver there, and the node is not labelled as having GPUs: nothing can hold a device. */
  | { readonly tag: 'noDriver'; readonly message: string }
  | { readonly tag: 'failed'; readonly failure: Failure };

/** What the objects of the cluster say of the devices on its nodes, and what is asked of them. No command is run here. */
export interface NodeCluster {
  /** Where the driver of a node is reached, by what the caches hold now. */
  driverOf(node: string): DriverLookup;
  /** Which claims or pods a device is given to. Claims are read off the caches; pods of the device plugin are listed. */
  usersOf(device: NodeDeviceRef, signal: AbortSignal): Promise<LoadOutcome>;
  /** Which claims a device is given to, by what the caches hold now; `idle` where no object of the cluster tells whom it is given to. */
  allocatedTo(device: NodeDeviceRef): LoadOutcome;
  /**
   * Told how the look on the node ended for a device without users. `shows`: whether the node's driver has a device. Answers the same, or that
   * it is in use, where what the node shows leaves too few for its pods.
   */
  looked(device: NodeDeviceRef, outcome: LoadOutcome, shows: (deviceId: string) => boolean): LoadOutcome;
  /**
   * Makes the software that publishes devices look again, by restarting it, where it does not do so by itself within a short wait:
   * once for all devices that are waited for at the same time, and at most once in 10 s. `done` when a restart was asked for, or is
   * not needed (any more).
   */
  restartPublisher(device: NodeDeviceRef, wanted: WantedVisibility, signal: AbortSignal): Promise<NodeOutcome>;
  /** What is remembered for a ComposableResource is of no use any more; absent where nothing is. */
  forgetResource?(name: string): void;
}
