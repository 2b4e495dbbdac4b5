import { restartDaemonSets, type DaemonSetRestartOptions } from './daemon-set-restart.ts';
import { RestartSchedule, type RestartOutcome, type RestartRequest } from './restart-schedule.ts';
import type { RestartPublisher } from './slice-publisher.ts';

/** What making the device plugin look again needs. */
export interface PluginPublisherOptions extends DaemonSetRestartOptions {
  /** How long devices that come or go after each other are waited for, in milliseconds. */
  readonly publishWaitMs: number;
}

interface PluginRequest extends RestartRequest {
  readonly sinceMs: number;
}

/** A DaemonSet is restarted on all its nodes. */
const CLUSTER = 'cluster';
/** A restart that is in the way is waited for so long before it is told. */
const LONGEST_MS = 60_000;

/** Restarts the device plugin's DaemonSet and DCGM's: once for all devices that come or go together in the whole cluster. */
export function pluginPublisher(options: PluginPublisherOptions): RestartPublisher {
  const { clock, publishWaitMs: waitMs } = options;
  const schedule = new RestartSchedule<PluginRequest>({
    clock,
    waitMs,
    restart: (_place, requests) => restartFor(requests, options),
  });
  return (_device, _wanted, signal) =>
    schedule.ask(
      {
        place: CLUSTER,
        sinceMs: clock.monotonic(),
        // No object says which devices the plugin has seen.
        isDone: () => false,
        onChange: () => () => undefined,
      },
      signal,
    );
}

async function restartFor(
  requests: readonly PluginRequest[],
  options: PluginPublisherOptions,
): Promise<RestartOutcome> {
  const outcome = await restartDaemonSets(options);
  if (outcome.tag !== 'later') return outcome;
  const waitedMs = options.clock.monotonic() - Math.min(...requests.map(({ sinceMs }) => sinceMs));
  if (waitedMs < LONGEST_MS) return outcome;
  const message = `${outcome.message}: until it is, it is not restarted, and does not see which GPUs came and left`;
  return { tag: 'failed', failure: { kind: 'Busy', message } };
}
