import { stringAt } from '../base/json.ts';
import type { World } from '../api/world.ts';
import { erase } from '../write/mark-deleted.ts';
import { keyOf } from '../store/store.ts';

const NAMESPACES = { group: '', plural: 'namespaces' } as const;

/** Empties a namespace that is being deleted, and removes it when nothing is left in it. */
export function followNamespaces(world: World): void {
  world.store.followers.add((place, change) => {
    const changed =
      place.group === '' && place.plural === 'namespaces'
        ? change.key
        : stringAt(change.object, 'metadata', 'namespace');
    if (changed === undefined || !isTerminating(world, changed)) return;
    world.clock.after(0, () => {
      empty(world, changed);
    });
  });
}

function isTerminating(world: World, name: string): boolean {
  const namespace = world.store.collection(NAMESPACES).get(name);
  return stringAt(namespace, 'metadata', 'deletionTimestamp') !== undefined;
}

function empty(world: World, namespace: string): void {
  if (!isTerminating(world, namespace)) return;
  let left = 0;
  const places = new Map(
    world.registry.all.filter((type) => type.namespaced).map((type) => [`${type.group}/${type.plural}`, type]),
  );
  for (const type of places.values()) {
    const collection = world.store.collection(type);
    for (const [, object] of [...collection.entries(`${namespace}/`)]) {
      const name = stringAt(object, 'metadata', 'name') ?? '';
      erase(world, { type, namespace, name, subresource: undefined }, 'Background');
      if (collection.get(keyOf(namespace, name)) !== undefined) left += 1;
    }
  }
  if (left === 0) world.store.remove(NAMESPACES, namespace);
}
