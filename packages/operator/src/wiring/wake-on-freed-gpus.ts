import type { ComposableResource } from '@cro/crd-types';
import type { Clock } from '@cro/clock';
import { DEVICE_PLUGIN, PLUGIN_TOLD_MS, type DevicePluginWatches } from '@cro/node-device';
import { readyReasonOf } from '../indexes.ts';
import type { NodeObject } from '../kinds/node-kind.ts';
import type { Wake } from '../services.ts';
import type { Watched } from './watch.ts';

/** What ends the waiting for a GPU that a device plugin offers. */
export interface FreedGpus extends Pick<Watched, 'resources' | 'nodes'>, DevicePluginWatches {
  readonly clock: Clock;
}

/**
 * A GPU is in use where the pods of its node would have too few without it. So whoever waits for that looks again when a pod of the node
 * ends, when the node offers another number of GPUs or is certain to tell how many, and when another GPU leaves it, or does not after all.
 */
export function wakeOnFreedGpus({ resources, nodes, podEnds, daemons, clock }: FreedGpus, wake: Wake): void {
  const waiting = () => resources.byIndex('inUse', 'yes').filter(({ spec }) => spec.type === 'gpu');
  const wakeOn = (node: string) => {
    for (const { metadata, spec } of waiting()) {
      if (spec.target_node === node) wake.resource(metadata.name, 'fresh');
    }
  };
  const watchWhereSomebodyWaits = () => {
    podEnds.watch(new Set(waiting().map(({ spec }) => spec.target_node)));
  };
  podEnds.onFreed(wakeOn);
  nodes.subscribe((event) => {
    const before = event.type === 'set' ? event.previous : undefined;
    if (before !== undefined && offersOf(before) !== offersOf(event.object)) wakeOn(event.object.metadata.name);
  });
  daemons[DEVICE_PLUGIN].subscribe((event) => {
    const { nodeName, ready } = event.object;
    const isNew = event.type === 'set' && ready && event.previous?.ready !== true;
    if (isNew)
      clock.after(PLUGIN_TOLD_MS, () => {
        wakeOn(nodeName);
      });
  });
  resources.subscribe((event) => {
    const { object } = event;
    const before = event.type === 'set' ? event.previous : event.object;
    if (isInUse(before) || isInUse(object)) watchWhereSomebodyWaits();
    const isNews = event.type === 'deleted' || readyReasonOf(object) !== (before && readyReasonOf(before));
    if (isNews && before?.status?.state === 'Detaching') wakeOthers(object, waiting(), wake);
  });
  watchWhereSomebodyWaits();
}

function wakeOthers({ metadata, spec }: ComposableResource, waiting: readonly ComposableResource[], wake: Wake): void {
  for (const other of waiting) {
    const isOther = other.metadata.name !== metadata.name && other.spec.target_node === spec.target_node;
    if (isOther) wake.resource(other.metadata.name, 'fresh');
  }
}

function isInUse(resource: ComposableResource | undefined): boolean {
  return resource !== undefined && readyReasonOf(resource) === 'InUse';
}

/** What a node offers of NVIDIA's, as one text. */
function offersOf({ allocatable }: NodeObject): string {
  const offers = Object.entries(allocatable).filter(([name]) => name.startsWith('nvidia.com/'));
  return offers.map(([name, count]) => `${name}=${count}`).join();
}
