import { isCrdResource } from '../resources/builtin.ts';
import { crdPlace, crdTypes } from '../resources/crd.ts';
import type { World } from '../api/world.ts';

/** Serves what CustomResourceDefinitions declare, from the moment that they are stored to their removal. */
export function followCrds(world: Pick<World, 'store' | 'registry'>): void {
  world.store.followers.add((place, change) => {
    if (!isCrdResource(place)) return;
    const { group, plural } = crdPlace(change.object);
    world.registry.replace(group, plural, change.type === 'DELETED' ? [] : crdTypes(change.object));
    if (change.type !== 'DELETED') return;
    for (const [key] of [...world.store.collection({ group, plural }).entries('')])
      world.store.remove({ group, plural }, key);
  });
}
