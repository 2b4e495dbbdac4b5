import type { ComposableResource } from '@cro/crd-types';
import type { Log } from '@cro/cdi-core';
import type { Clock } from '@cro/clock';
import type { Cache, KubeClient } from '@cro/kube-runtime';
import {
  DeviceTaintFence,
  noFence,
  removeAbandonedRules,
  RuleAccess,
  type Fence,
  type ResourceSlice,
} from '@cro/node-device';

/** What becomes of a device that leaves where the cluster offers no fence: it stays until there is one, or goes without. */
export type WithoutFence = 'refuse' | 'continue';

/** Whether new pods are kept from devices that leave. `none`: nothing is scheduled by ResourceSlices in this cluster. */
export type FenceConfig =
  { readonly tag: 'none' } | { readonly tag: 'deviceTaintRules'; readonly without: WithoutFence };

/** What fencing needs of the operator. */
export interface FenceOptions {
  readonly client: KubeClient;
  /** Absent where ResourceSlices are not looked at: then there is no fence. */
  readonly slices: Cache<ResourceSlice> | undefined;
  readonly resources: Cache<ComposableResource>;
  /** It takes nothing away that another operator may have put up: it only ends what is open. */
  readonly draining: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** The fence, and how it is begun. */
export interface WiredFence {
  readonly fence: Fence;
  readonly without: WithoutFence;
  /** Finds out what the cluster offers. Calls `available` whenever there can be a fence where there could be none. */
  readonly begin: (available: () => void) => void;
}

/** Wires what keeps new pods from devices that leave. */
export function wireFence(config: FenceConfig, options: FenceOptions): WiredFence {
  const { slices } = options;
  if (config.tag === 'none' || slices === undefined)
    return { fence: noFence, without: 'refuse', begin: () => undefined };
  const access = new RuleAccess(options);
  return {
    fence: new DeviceTaintFence({ ...options, slices, access }),
    without: config.without,
    begin: (available) => {
      access.onAvailable(available);
      void lookAtOnce(access, options);
    },
  };
}

/** So that the log says early what is missing; who needs a fence asks again. What the Go operator has left is removed then. */
async function lookAtOnce(access: RuleAccess, { client, log, resources, draining }: FenceOptions): Promise<void> {
  const found = await access.current();
  if (found.tag === 'failed') log.warn(found.failure.message);
  if (draining) return;
  await removeAbandonedRules({ client, access, log, isThere: (name) => resources.get(name) !== undefined });
}
