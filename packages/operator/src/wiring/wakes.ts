import type { Clock } from '@cro/clock';
import type { ComposableResource } from '@cro/crd-types';
import type { HealthBook } from '../fabric/health-book.ts';
import { requestNameOf } from '../indexes.ts';
import type { Shortages } from '../request/shortages.ts';
import type { Wake } from '../services.ts';
import type { Caches } from './caches.ts';
import type { NodeSides } from './node-sides.ts';
import type { Watched } from './watch.ts';
import { wakeOnFreedGpus } from './wake-on-freed-gpus.ts';

/** Every event that somebody waits for wakes the one who waits. Nothing polls where an event exists. */
export function wakeOnEvents(caches: Caches, nodeSides: NodeSides, shortages: Shortages, wake: Wake): void {
  caches.requests.subscribe((event) => {
    wake.request(event.object.metadata.name);
    if (event.type === 'deleted') wakeAllocating(caches, wake);
  });
  caches.resources.subscribe((event) => {
    const { object } = event;
    wake.resource(object.metadata.name);
    const owner = requestNameOf(object);
    if (owner !== undefined) wake.request(owner);
    const freed = event.type === 'deleted' || (isReleased(object) && !isReleased(event.previous));
    if (freed) wakeWaiting(object.spec.model, caches, shortages, wake);
  });
  for (const { visibility } of Object.values(nodeSides)) {
    visibility.onChange((node, deviceId) => {
      for (const { metadata, status } of caches.resources.byIndex('device', deviceId)) {
        // One that leaves may have another name now, or other parts: its fence has to follow before it waits on.
        wake.resource(metadata.name, status?.state === 'Detaching' ? 'fresh' : undefined);
      }
      // It may be the device that is looked for.
      for (const { metadata } of caches.resources.byIndex('unidentified', node)) wake.resource(metadata.name, 'fresh');
    });
  }
}

/** A device went back: whoever waits for one of its model, or for a place, tries now. */
function wakeWaiting(model: string, caches: Caches, shortages: Shortages, wake: Wake): void {
  shortages.lift(model);
  for (const { metadata } of caches.resources.byIndex('exhausted', model)) wake.resource(metadata.name, 'fresh');
  wakeAllocating(caches, wake);
}

function wakeAllocating(caches: Caches, wake: Wake): void {
  for (const { metadata } of caches.requests.byIndex('state', 'NodeAllocating')) wake.request(metadata.name, 'fresh');
}

/** Credentials came or changed: whoever was not let in tries now. */
export function wakeOnSecrets({ resources, secrets }: Pick<Watched, 'resources' | 'secrets'>, wake: Wake): void {
  for (const cache of secrets.values()) {
    cache.subscribe(() => {
      for (const { metadata } of resources.byIndex('unauthenticated', 'yes')) wake.resource(metadata.name, 'fresh');
    });
  }
}

/** What the cluster says of drivers and of users changed: whoever waits for that tries now. */
export function wakeOnNodeWatches(
  { resources, nodes, nodeWatches }: Pick<Watched, 'resources' | 'nodes' | 'nodeWatches'>,
  clock: Clock,
  wake: Wake,
): void {
  if (nodeWatches.tag === 'none') return;
  const { drivers, agents } = nodeWatches;
  const others = nodeWatches.tag === 'dra' ? [nodeWatches.plugins] : Object.values(nodeWatches.daemons);
  for (const pods of [drivers, agents, ...others]) {
    pods.subscribe((event) => {
      const { nodeName, ready } = event.object;
      const isNews = event.type === 'set' && ready && event.previous?.ready !== true;
      if (!isNews) return;
      for (const { metadata } of resources.byIndex('hindered', nodeName)) wake.resource(metadata.name, 'fresh');
    });
  }
  if (nodeWatches.tag === 'devicePlugin') {
    wakeOnFreedGpus({ resources, nodes, clock, ...nodeWatches }, wake);
    return;
  }
  nodeWatches.claims.subscribe((event) => {
    const before = event.type === 'deleted' ? event.object : event.previous;
    const isFreed =
      before !== undefined && before.devices.length > 0 && !(event.type === 'set' && event.object.devices.length > 0);
    if (!isFreed) return;
    for (const { metadata } of resources.byIndex('inUse', 'yes')) wake.resource(metadata.name, 'fresh');
  });
}

/** The fabric's word on a device changed. After a start every device is heard of anew: of one that is well, status says so already. */
export function wakeForHealth(
  id: string,
  { resources }: Pick<Caches, 'resources'>,
  health: HealthBook,
  wake: Wake,
): void {
  for (const resource of resources.byIndex('device', id)) {
    const isNews = !(health.ofDevice(id)?.ok === true && saysHealthy(resource));
    if (isNews) wake.resource(resource.metadata.name);
  }
}

/** Whether status says that the device is well and that nothing else is in its way. */
function saysHealthy({ status }: ComposableResource): boolean {
  const isTrue = (type: string) =>
    status?.conditions?.some((one) => one.type === type && one.status === 'True') ?? false;
  return isTrue('Healthy') && isTrue('Ready');
}

/** There can be a fence where there could be none: whoever may not leave without one tries now. */
export function wakeUnfenced({ resources }: Pick<Caches, 'resources'>, wake: Wake): void {
  for (const { metadata } of resources.byIndex('unfenced', 'yes')) wake.resource(metadata.name, 'fresh');
}

/** A node came, went, or can give more or less than before. */
export function wakeForNode(node: string, caches: Caches, wake: Wake): void {
  for (const { metadata } of caches.resources.byIndex('node', node)) wake.resource(metadata.name);
  for (const { metadata } of caches.requests.byIndex('target', node)) wake.request(metadata.name);
  wakeAllocating(caches, wake);
}

function isReleased(resource: ComposableResource | undefined): boolean {
  return resource?.status?.conditions?.some((one) => one.type === 'Attached' && one.reason === 'Released') ?? false;
}
