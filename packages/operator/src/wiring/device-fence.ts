import type { Log } from '@cro/cdi-core';
import type { Clock } from '@cro/clock';
import type { Cache, KubeClient } from '@cro/kube-runtime';
import { DeviceTaintFence, noFence, RuleAccess, type Fence, type ResourceSlice } from '@cro/node-device';

/** What becomes of a device that leaves where the cluster offers no fence: it stays until there is one, or goes without. */
export type WithoutFence = 'refuse' | 'continue';

/** Whether new pods are kept from devices that leave. `none`: nothing is scheduled by ResourceSlices in this cluster. */
export type FenceConfig =
  { readonly tag: 'none' } | { readonly tag: 'deviceTaintRules'; readonly without: WithoutFence };

/** What fencing needs of the operator. */
export interface FenceOptions {
  readonly client: KubeClient;
  readonly slices: Cache<ResourceSlice>;
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
  if (config.tag === 'none') return { fence: noFence, without: 'refuse', begin: () => undefined };
  const access = new RuleAccess(options);
  return {
    fence: new DeviceTaintFence({ ...options, access }),
    without: config.without,
    begin: (available) => {
      access.onAvailable(available);
      void lookAtOnce(access, options.log);
    },
  };
}

/** So that the log says early what is missing; who needs a fence asks again. */
async function lookAtOnce(access: RuleAccess, log: Log): Promise<void> {
  const found = await access.current();
  if (found.tag === 'failed') log.warn(found.failure.message);
}
