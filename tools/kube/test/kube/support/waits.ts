import { delay, systemClock as clock } from '@cro/clock';
import type { ComposabilityRequest, ComposableResource } from '@cro/crd-types';
import { until } from '@cro/demo';
import { conditionOf } from './plane.ts';
import { asked } from './records.ts';
import type { World } from './world.ts';

const PATIENCE_MS = 90_000;

interface Named {
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/**
 * Waits until the test's own caches know an object. They are late after CRDs were switched: what was created a moment ago would
 * pass for gone.
 */
export async function untilSeen({ caches, trouble }: World, { kind, metadata: { name } }: Named): Promise<void> {
  const { requests, resources } = caches;
  await until({
    clock,
    what: `${kind} ${name} is known`,
    on: [(look) => requests.subscribe(look), (look) => resources.subscribe(look)],
    value: () => (kind === 'ComposabilityRequest' ? requests.get(name) : resources.get(name)),
    withinMs: PATIENCE_MS,
    signal: trouble,
  });
}

/** Waits until the request is Running with `count` devices Online, nothing else is left, and the fabric agrees. */
export async function untilRunning(world: World, name: string, count: number): Promise<void> {
  const { requests, resources } = world.caches;
  await until({
    clock,
    what: `request ${name} is Running with ${count} devices`,
    on: [(look) => requests.subscribe(look), (look) => resources.subscribe(look)],
    value: () => {
      const found = requests.get(name);
      const all = resources.list();
      const online = all.filter(({ metadata, status }) => !metadata.deletionTimestamp && status?.state === 'Online');
      // Our own change of the spec shows at once, with a status that knows nothing of it.
      const { generation } = found?.metadata ?? {};
      const isSeen = (found?.status?.observedGeneration ?? generation) === generation;
      const isThere = isSeen && found?.status?.state === 'Running' && found.spec.resource.size === count;
      return isThere && online.length === count && all.length === count ? true : undefined;
    },
    standing: () => standing(world, name),
    withinMs: PATIENCE_MS,
    signal: world.trouble,
  });
}

/** Waits until neither the request nor any resource is left. */
export async function untilGone(world: World, name: string): Promise<void> {
  const { requests, resources } = world.caches;
  await until({
    clock,
    what: `request ${name} and its devices are gone`,
    on: [(look) => requests.subscribe(look), (look) => resources.subscribe(look)],
    value: () => (requests.get(name) === undefined && resources.list().length === 0 ? true : undefined),
    standing: () => standing(world, name),
    withinMs: PATIENCE_MS,
    signal: world.trouble,
  });
}

/** Waits until a sweep of the fabric has told the health of every device: what is told after Running, once. */
export async function untilHealthy(world: World): Promise<void> {
  const { resources } = world.caches;
  await until({
    clock,
    what: 'every device is known to be healthy',
    on: [(look) => resources.subscribe(look)],
    value: () => (resources.list().every((one) => conditionOf(one, 'Healthy') === 'True') ? true : undefined),
    standing: () => JSON.stringify(resources.list().map(({ status }) => status?.conditions)),
    withinMs: PATIENCE_MS,
    signal: world.trouble,
  });
}

/** Waits until the operator has written its lease with this credential. */
export async function untilRenewedWith(world: World, credential: string): Promise<void> {
  const { leases } = world.caches;
  const renewed = async () =>
    (await asked(world)).some((one) => one.resource === 'leases' && one.credential === credential);
  let isSo = false;
  await until({
    clock,
    what: `the lease is renewed with ${credential}`,
    on: [(look) => leases.subscribe(() => void renewed().then((is) => ((isSo = is), look())))],
    value: () => (isSo ? true : undefined),
    withinMs: PATIENCE_MS,
    signal: world.trouble,
  });
}

/** Lets time go by and tells which objects were written meanwhile; leases are renewed all the time and do not count. */
export async function writtenWithin(world: World, ms: number): Promise<readonly string[]> {
  const { leases: _, ...caches } = world.caches;
  const written: string[] = [];
  const stops = Object.values(caches).map((cache) =>
    cache.subscribe(({ type, object: { kind, metadata } }) => {
      written.push(`${kind} ${metadata.name}: ${type} at ${metadata.resourceVersion}`);
    }),
  );
  await delay(clock, ms, world.trouble);
  for (const stop of stops) stop();
  return written;
}

function standing({ caches }: World, name: string): string {
  const requests = caches.requests.list().filter(({ metadata }) => metadata.name === name);
  return [...requests, ...caches.resources.list()].map(inWords).join('; ') || 'nothing is there';
}

/** What an object says of itself, and which state of it was seen. */
function inWords({ kind, metadata, status }: ComposabilityRequest | ComposableResource): string {
  const { name, resourceVersion, deletionTimestamp } = metadata;
  const conditions = (status?.conditions ?? []).map(({ type, status: is, reason }) => `${type}=${is} ${reason}`);
  const marks = [`version ${resourceVersion}`, ...(deletionTimestamp === undefined ? [] : ['deleted']), ...conditions];
  const words = [status?.state || 'without a state', ...(status?.error ? [JSON.stringify(status.error)] : [])];
  return `${kind} ${name}: ${words.join(' ')} (${marks.join(', ')})`;
}
