import type { NodeDeviceRef, WantedVisibility } from '../node-actions.ts';
import type { NodeOutcome } from '../outcomes.ts';
import { restartDaemonSets, type DaemonSetRestartOptions } from './daemon-set-restart.ts';
import { nudge } from './plugin-nudge.ts';
import type { PluginPods, PluginRequest } from './plugin-pods.ts';
import { RestartSchedule, type RestartOutcome } from './restart-schedule.ts';
import type { RestartPublisher } from './slice-publisher.ts';

/** What making the device plugin look again needs. */
export interface PluginPublisherOptions extends DaemonSetRestartOptions {
  /** How long devices that come or go after each other are waited for, in milliseconds. */
  readonly publishWaitMs: number;
}

/** A DaemonSet is restarted on all its nodes. */
const CLUSTER = 'cluster';
/** How long a restart of the whole DaemonSet may take to get to a node before that node's pod is made new alone. */
const SLOW_MS = 10_000;
/** A restart that is in the way is waited for so long before it is told. */
const LONGEST_MS = 60_000;

/**
 * Makes the device plugin look again where a device came or left. Its DaemonSet and DCGM's are restarted, once for all devices that come or go
 * together in the whole cluster; then it is seen to it that the pod of the node itself is a new one. Where some node has
 * trouble, a restart would get stuck there: then only the pods of the nodes concerned are made new.
 */
export function pluginPublisher(options: PluginPublisherOptions, pods: PluginPods): RestartPublisher {
  const { clock, publishWaitMs: waitMs } = options;
  const restarts = new RestartSchedule<PluginRequest>({
    clock,
    waitMs,
    restart: (_place, requests) => restartFor(requests, options, pods),
  });
  const nudges = new RestartSchedule<PluginRequest>({
    clock,
    waitMs: SLOW_MS,
    restart: (node, requests) => nudge(node, requests, options, pods),
  });
  const renew = async (request: PluginRequest, signal: AbortSignal): Promise<NodeOutcome> => {
    const restarted = await restarts.ask({ ...request, place: CLUSTER }, signal);
    if (restarted.tag === 'failed' || pods.areUnseen()) return restarted;
    return nudges.ask({ ...request, sinceMs: clock.monotonic() }, signal);
  };
  return (device: NodeDeviceRef, wanted: WantedVisibility, signal) => pods.untilNew(device, wanted, signal, renew);
}

async function restartFor(
  requests: readonly PluginRequest[],
  options: PluginPublisherOptions,
  pods: PluginPods,
): Promise<RestartOutcome> {
  const nodes = [...new Set(requests.map(({ node }) => node))];
  const outcome = await restartDaemonSets({ nodes, plugins: () => pods.toRenew(requests) }, options);
  if (outcome.tag !== 'later') return outcome;
  const waitedMs = options.clock.monotonic() - Math.min(...requests.map(({ sinceMs }) => sinceMs));
  if (waitedMs < LONGEST_MS) return outcome;
  const message = `${outcome.message}: until it has been, it is not restarted, and does not see which GPUs came and left`;
  return { tag: 'failed', failure: { kind: 'Busy', message } };
}
