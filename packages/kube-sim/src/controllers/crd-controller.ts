import { isObject, type JsonObject } from '../base/json.ts';
import { isCrdResource } from '../resources/builtin.ts';
import { type CrdPlace, crdPlace, crdTypes } from '../resources/crd.ts';
import { prune } from '../schema/prune.ts';
import type { ResourceType } from '../resources/resource-type.ts';
import { withDefaults } from '../write/candidate.ts';
import type { World } from '../api/world.ts';

/** Serves what CustomResourceDefinitions declare, from the moment that they are stored to their removal. */
export function followCrds(world: Pick<World, 'store' | 'registry' | 'watches'>): void {
  const stored = new StoredForms(world);
  world.store.followers.add((place, change) => {
    if (!isCrdResource(place)) return;
    const { group, plural } = crdPlace(change.object);
    const types = change.type === 'DELETED' ? [] : crdTypes(change.object);
    world.registry.replace(group, plural, types);
    if (change.type === 'DELETED') {
      for (const [key] of [...world.store.collection({ group, plural }).entries('')])
        world.store.remove({ group, plural }, key);
      return;
    }
    if (change.previous === undefined || sameSpec(change.previous, change.object)) return;
    stored.showBy({ group, plural }, types[0]);
    // The server sets up the resource anew, which ends whoever watches it.
    world.watches.close('end', (watch) => watch.group === group && watch.plural === plural);
  });
}

function sameSpec(left: JsonObject, right: JsonObject): boolean {
  return JSON.stringify(left['spec']) === JSON.stringify(right['spec']);
}

/**
 * A changed schema decides what is read of the objects that are stored already. What it does not know is not shown, and is lost
 * with the object's next write; until then it comes back with a schema that knows it.
 */
class StoredForms {
  readonly #world: Pick<World, 'store'>;
  /** What is stored of an object that is shown without some of it. */
  readonly #whole = new WeakMap<JsonObject, JsonObject>();

  constructor(world: Pick<World, 'store'>) {
    this.#world = world;
  }

  showBy(place: CrdPlace, type: ResourceType | undefined): void {
    if (type?.schema === undefined) return;
    const collection = this.#world.store.collection(place);
    for (const [key, shown] of [...collection.entries('')]) {
      const whole = this.#whole.get(shown) ?? shown;
      const pruned = prune(whole, type.schema, () => undefined, '', true);
      if (!isObject(pruned)) continue;
      const now = withDefaults(type, pruned);
      this.#whole.set(now, whole);
      collection.set(key, now);
    }
  }
}
