import { delay } from '@cro/clock';
import { DEFAULT_MODEL, requestKind, resourceKind, until } from '@cro/demo';
import type { Scene } from './scene.ts';

/** How long something may take beyond what it must before it counts as stuck. */
const PATIENCE_MS = 180_000;

/** Creates a request for `size` devices on one node. */
export async function create({ world, timeline }: Scene, name: string, size: number): Promise<void> {
  const resource = { type: 'gpu', model: DEFAULT_MODEL, size, allocation_policy: 'samenode' };
  const outcome = await world.client.create(requestKind, { metadata: { name }, spec: { resource } });
  if (outcome.tag !== 'done') throw new Error(`request ${name} cannot be created: ${JSON.stringify(outcome)}`);
  timeline.created(name);
}

/** Creates many at once. */
export async function createAll(scene: Scene, names: readonly string[], size: number): Promise<void> {
  await Promise.all(names.map((name) => create(scene, name, size)));
}

/** Asks for a request's deletion. */
export async function remove({ world }: Scene, name: string): Promise<void> {
  const outcome = await world.client.delete(requestKind, { name });
  if (outcome.tag !== 'done') throw new Error(`request ${name} cannot be deleted: ${JSON.stringify(outcome)}`);
}

/** Asks for the deletion of many at once. */
export async function removeAll(scene: Scene, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => remove(scene, name)));
}

/** Waits until all of the requests are Running. */
export function untilRunning(scene: Scene, names: readonly string[]): Promise<void> {
  return untilAll(scene, names, 'Running', (name) => scene.timeline.of(name).running !== undefined);
}

/**
 * Waits until all of the requests are gone; no resource may be left then. The API server is asked: the watch of resources may be
 * behind that of requests.
 */
export async function untilGone(scene: Scene, names: readonly string[]): Promise<void> {
  await untilAll(scene, names, 'gone', (name) => scene.timeline.of(name).gone !== undefined);
  const listed = await scene.world.client.list(resourceKind);
  if (listed.tag === 'failed') throw new Error(`the resources cannot be listed: ${listed.error.message}`);
  const left = listed.objects.length;
  if (left > 0) throw new Error(`all requests are gone, and ${left} resources are left`);
}

/** Waits until the operator has written nothing for a while: events come after what they tell of. */
export async function untilWritesRest({ world, host: { clock, quick } }: Scene): Promise<void> {
  let before = -1;
  for (let now = world.operatorCounts().writes; now !== before; now = world.operatorCounts().writes) {
    before = now;
    await delay(clock, quick ? 300 : 1000, world.trouble);
  }
}

async function untilAll(scene: Scene, names: readonly string[], what: string, is: (name: string) => boolean) {
  const { world, timeline, host } = scene;
  const open = new Set(names);
  await until({
    clock: host.clock,
    what: `${names.length} requests are ${what}`,
    on: [(look) => timeline.subscribe(look)],
    value: () => {
      for (const name of open) if (is(name)) open.delete(name);
      return open.size === 0 ? true : undefined;
    },
    standing: () => `${open.size} are not; resources: ${standing(scene)}`,
    withinMs: PATIENCE_MS,
    signal: world.trouble,
  });
}

function standing({ world }: Scene): string {
  const states = new Map<string, number>();
  for (const { status } of world.resources.list()) {
    const state = status?.state ?? '';
    const key = state === '' ? 'new' : state;
    states.set(key, (states.get(key) ?? 0) + 1);
  }
  return [...states].map(([state, count]) => `${count} ${state}`).join(', ') || 'none';
}
