import { defined, isObject, type JsonObject, listAt, objectAt, stringAt, stringsAt } from '../base/json.ts';
import type { World } from '../api/world.ts';
import type { Change } from '../store/change.ts';
import { keyOf, type Place } from '../store/store.ts';
import { erase } from '../write/mark-deleted.ts';
import { Dependents, ownersOf, type Ref } from './dependents.ts';

/** Milliseconds after which garbage is collected: the real collector works in the background, too. */
const DELAY_MS = 10;
const FOREGROUND = 'foregroundDeletion';
const ORPHAN = 'orphan';

/**
 * Deletes what names owners that are all gone, and completes the deletion of owners that wait for their dependents
 * (`foregroundDeletion`) or let go of them (`orphan`).
 */
export function collectGarbage(world: World): void {
  const dependents = new Dependents();
  const later = (task: () => void) => {
    world.clock.after(DELAY_MS, task);
  };
  world.store.followers.add((place, change) => {
    const uid = stringAt(change.object, 'metadata', 'uid') ?? '';
    dependents.follow(place, change);
    if (change.type === 'DELETED') {
      if (dependents.of(uid).length > 0)
        later(() => {
          for (const ref of dependents.of(uid)) sweepDependent(world, ref);
        });
      for (const owner of ownersOf(change.object))
        later(() => {
          sweepOwner(world, dependents, find(world, owner, change));
        });
      return;
    }
    const ref = { place, key: change.key };
    if (isOrphaned(world, change.object))
      later(() => {
        sweepDependent(world, ref);
      });
    if (isWaiting(change.object))
      later(() => {
        sweepOwner(world, dependents, ref);
      });
  });
}

function find(world: World, owner: JsonObject, change: Change): Ref | undefined {
  const found = ownerPlace(world, owner, change.object);
  return found === undefined ? undefined : { place: found.place, key: found.key };
}

function ownerPlace(
  world: World,
  owner: JsonObject,
  dependent: JsonObject,
): (Ref & { readonly object: JsonObject }) | undefined {
  const type = world.registry.findKind(stringAt(owner, 'apiVersion') ?? '', stringAt(owner, 'kind') ?? '');
  if (type === undefined) return undefined;
  const namespace = type.namespaced ? stringAt(dependent, 'metadata', 'namespace') : undefined;
  const key = keyOf(namespace, stringAt(owner, 'name') ?? '');
  const object = world.store.collection(type).get(key);
  const same = object !== undefined && stringAt(object, 'metadata', 'uid') === stringAt(owner, 'uid');
  return same ? { place: type, key, object } : undefined;
}

function isOrphaned(world: World, object: JsonObject): boolean {
  const owners = ownersOf(object);
  return owners.length > 0 && owners.every((owner) => ownerPlace(world, owner, object) === undefined);
}

function isWaiting(object: JsonObject): boolean {
  const deleting = stringAt(object, 'metadata', 'deletionTimestamp') !== undefined;
  return deleting && stringsAt(object, 'metadata', 'finalizers').some((name) => name === FOREGROUND || name === ORPHAN);
}

function sweepDependent(world: World, ref: Ref): void {
  const object = world.store.collection(ref.place).get(ref.key);
  if (object !== undefined && isOrphaned(world, object)) eraseRef(world, ref, object);
}

function eraseRef(world: World, ref: Ref, object: JsonObject): void {
  const type = world.registry.findAny(ref.place.group, ref.place.plural);
  if (type === undefined) return;
  const namespace = stringAt(object, 'metadata', 'namespace');
  erase(
    world,
    { type, namespace, name: stringAt(object, 'metadata', 'name') ?? '', subresource: undefined },
    undefined,
  );
}

function sweepOwner(world: World, dependents: Dependents, ref: Ref | undefined): void {
  const owner = ref === undefined ? undefined : world.store.collection(ref.place).get(ref.key);
  if (ref === undefined || owner === undefined || !isWaiting(owner)) return;
  const uid = stringAt(owner, 'metadata', 'uid') ?? '';
  const orphans = stringsAt(owner, 'metadata', 'finalizers').includes(ORPHAN);
  for (const dependent of dependents.of(uid)) {
    const object = world.store.collection(dependent.place).get(dependent.key);
    if (object === undefined) continue;
    if (orphans) world.store.put(dependent.place, withoutOwner(object, uid));
    else eraseRef(world, dependent, object);
  }
  if (dependents.of(uid).length === 0) release(world, ref.place, owner);
}

function withoutOwner(object: JsonObject, uid: string): JsonObject {
  const rest = listAt(object, 'metadata', 'ownerReferences').filter(
    (owner) => !isObject(owner) || owner['uid'] !== uid,
  );
  const metadata = defined({ ...objectAt(object, 'metadata'), ownerReferences: rest.length === 0 ? undefined : rest });
  return { ...object, metadata };
}

/** Takes the collector's own finalizers off; without others the owner is removed. */
function release(world: World, place: Place, owner: JsonObject): void {
  const metadata = objectAt(owner, 'metadata');
  const rest = stringsAt(metadata, 'finalizers').filter((name) => name !== FOREGROUND && name !== ORPHAN);
  const next = { ...owner, metadata: defined({ ...metadata, finalizers: rest.length === 0 ? undefined : rest }) };
  if (rest.length > 0) world.store.put(place, next);
  else
    world.store.remove(
      place,
      keyOf(stringAt(owner, 'metadata', 'namespace'), stringAt(owner, 'metadata', 'name') ?? ''),
    );
}
