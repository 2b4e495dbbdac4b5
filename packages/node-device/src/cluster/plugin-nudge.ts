import type { Failure } from '@cro/crd-types';
import { DEVICE_PLUGIN } from './daemon-set-names.ts';
import type { DaemonSetRestartOptions } from './daemon-set-restart.ts';
import { podWords, POD_NODE_INDEX } from './kinds/node-pod.ts';
import type { PluginPods, PluginRequest } from './plugin-pods.ts';
import { renewPods } from './pod-renewal.ts';
import type { RestartOutcome } from './restart-schedule.ts';

/** A pod that does not come is waited for so long before it is told. */
const LONGEST_MS = 60_000;
const LOOK_AGAIN_MS = 5_000;

/**
 * Makes the pod of the device plugin on one node new, to which a restart of all does not get: it is slow where there are many nodes, stuck where one
 * is broken, and nothing at all with the update strategy `OnDelete`. Those who wait leave when the new pod is ready.
 */
export async function nudge(
  node: string,
  requests: readonly PluginRequest[],
  options: DaemonSetRestartOptions,
  plugins: PluginPods,
): Promise<RestartOutcome> {
  const pods = options.daemons[DEVICE_PLUGIN].byIndex(POD_NODE_INDEX, node);
  const renewed = await renewPods(plugins.toRenew(requests), options);
  const waitedMs = options.clock.monotonic() - Math.min(...requests.map(({ sinceMs }) => sinceMs));
  if (waitedMs < LONGEST_MS) return { tag: 'later', afterMs: LOOK_AGAIN_MS };
  if (renewed.tag === 'failed') return renewed;
  const { gpuOperatorNamespace: namespace } = options;
  const what =
    pods.length === 0 ? `a pod of DaemonSet ${namespace}/${DEVICE_PLUGIN}` : `pod ${pods.map(podWords).join(', ')}`;
  const message = `${what} does not get ready on node ${node}: until it is, nobody knows which GPUs came and left there`;
  const failure: Failure = { kind: 'Busy', message };
  return { tag: 'failed', failure };
}
