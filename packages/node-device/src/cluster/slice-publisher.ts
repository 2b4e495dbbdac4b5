import { fieldIs, type Cache } from '@cro/kube-runtime';
import type { NodeDeviceRef, WantedVisibility } from '../node-actions.ts';
import type { NodeOutcome } from '../outcomes.ts';
import type { ResourceSlice, SliceDrivers } from '../resource-slice.ts';
import { idsIn } from '../slice-index.ts';
import { sliceKindWith } from '../slice-kind.ts';
import { sliceVisibility } from '../slice-visibility.ts';
import { restartPlugin, type PluginRestartOptions } from './plugin-restart.ts';
import { RestartSchedule, type RestartRequest } from './restart-schedule.ts';

/** What making the DRA driver look again needs. */
export interface SlicePublisherOptions extends PluginRestartOptions {
  /** Watched with `sliceIndexes`. */
  readonly slices: Cache<ResourceSlice>;
  /** The drivers whose slices these are. */
  readonly sliceDrivers: SliceDrivers;
  /** How long the slice may take to change by itself, in milliseconds. */
  readonly publishWaitMs: number;
}

/** Makes the software that publishes devices look again. */
export type RestartPublisher = (
  device: NodeDeviceRef,
  wanted: WantedVisibility,
  signal: AbortSignal,
) => Promise<NodeOutcome>;

interface SliceRequest extends RestartRequest {
  readonly deviceId: string;
  readonly wanted: WantedVisibility;
}

/** Restarts the kubelet plugin of a node whose slices do not change by themselves: once for all devices of the node. */
export function slicePublisher(options: SlicePublisherOptions): RestartPublisher {
  const { clock, slices, sliceDrivers, publishWaitMs } = options;
  const visibility = sliceVisibility({ cache: slices, sliceDrivers });
  const schedule = new RestartSchedule<SliceRequest>({
    clock,
    waitMs: publishWaitMs,
    restart: async (node, requests) => {
      const isNeedless = await isShownAsWanted(node, requests, options);
      return isNeedless ? { tag: 'done' } : restartPlugin(node, options);
    },
  });
  return ({ node, deviceId }, wanted, signal) =>
    schedule.ask(
      {
        place: node,
        deviceId,
        wanted,
        isDone: () => deviceId === '' || visibility.of(node, deviceId) === wanted,
        onChange: (look) => visibility.onChange(look),
      },
      signal,
    );
}

/** A watch may be late: what is wanted is looked for once more, live, before a pod is deleted for it. */
async function isShownAsWanted(
  node: string,
  requests: readonly SliceRequest[],
  { client, sliceDrivers }: SlicePublisherOptions,
): Promise<boolean> {
  const listed = await client.list(sliceKindWith(sliceDrivers), { fieldSelector: fieldIs('spec.nodeName', node) });
  if (listed.tag === 'failed') return false;
  const shown = new Set(listed.objects.flatMap(idsIn));
  return requests.every(({ deviceId, wanted }) => shown.has(deviceId) === (wanted === 'visible'));
}
