import type { Failure } from '@cro/crd-types';

/** A device that leaves its node, and the ComposableResource that it belongs to. */
export interface FenceRequest {
  /** Name of the Node. */
  readonly node: string;
  /** What the node knows the device by: the UUID of a GPU. Empty when nobody knows: then there is nothing to fence. */
  readonly deviceId: string;
  readonly resource: { readonly name: string; readonly uid: string };
}

/** How putting up a fence ended. `unavailable`: the cluster has no way to; `message` says what to change in it. */
export type FenceOutcome =
  | { readonly tag: 'done' }
  | {
      readonly tag: 'unavailable';
      readonly reason: 'FenceNotServed' | 'FenceForbidden';
      readonly message: string;
    }
  | { readonly tag: 'failed'; readonly failure: Failure };

/** How taking it away ended. `leftBehind`: the cluster does not let us; `message` says what may be left, and what to change. */
export type UnfenceOutcome =
  | { readonly tag: 'done' }
  | { readonly tag: 'leftBehind'; readonly message: string }
  | { readonly tag: 'failed'; readonly failure: Failure };

/**
 * Keeps the scheduler from giving a device to new pods while it leaves its node. Pods that have it are left alone. Both
 * may be repeated after a crash. Expected failures are returned; a throw is a bug.
 */
export interface Fence {
  /** `done` also when no ResourceSlice shows the device: then no pod can get it. */
  fence(request: FenceRequest): Promise<FenceOutcome>;
  /** Takes the fence away, whoever put it up. `done` also when there is none. */
  unfence(request: FenceRequest): Promise<UnfenceOutcome>;
}

/** For clusters whose devices are not scheduled by ResourceSlices. */
export const noFence: Fence = {
  fence: () => Promise.resolve({ tag: 'done' }),
  unfence: () => Promise.resolve({ tag: 'done' }),
};
