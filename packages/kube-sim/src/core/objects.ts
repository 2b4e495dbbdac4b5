import { newUid } from '../base/identity.ts';
import { defined, isObject, type JsonObject, objectAt, stringAt, toJson } from '../base/json.ts';
import { timestamp } from '../base/sim-clock.ts';
import type { World } from '../api/world.ts';
import { erase } from '../write/mark-deleted.ts';
import { withDefaults } from '../write/candidate.ts';
import { withGeneration } from '../write/next-object.ts';
import type { ResourceType } from '../resources/resource-type.ts';
import { keyOf } from '../store/store.ts';

/**
 * The store, from behind: for tests that set a scene or look at the result. It asks no webhook, checks no schema, and
 * observers and faults do not see it. A resource is named as kubectl names it: `nodes`, or
 * `composableresources.cro.hpsys.ibm.ie.com`.
 */
export interface Objects {
  /** One object. */
  get(resource: string, name: string, namespace?: string): JsonObject | undefined;
  /** All objects, or those of a namespace, in the order of their keys. */
  list(resource: string, namespace?: string): readonly JsonObject[];
  /** Creates the object, or replaces it whole, its status too. Throws when its kind is not served. */
  put(object: object): JsonObject;
  /** Deletes as a client would: an object with finalizers is only marked. Answers false when there is none. */
  delete(resource: string, name: string, namespace?: string): boolean;
  /** How many objects of a resource there are. */
  count(resource: string): number;
}

/** Opens the back door to a world. */
export function openObjects(world: World): Objects {
  const typeOf = (resource: string): ResourceType => {
    const dot = resource.indexOf('.');
    const [plural, group] = dot === -1 ? [resource, ''] : [resource.slice(0, dot), resource.slice(dot + 1)];
    const type = world.registry.findAny(group, plural);
    if (type === undefined)
      throw new Error(`resource "${resource}" is not served; write plural.group, or plural for the core group`);
    return type;
  };
  const collection = (resource: string) => world.store.collection(typeOf(resource));
  return {
    get: (resource, name, namespace) => collection(resource).get(keyOf(namespace, name)),
    list: (resource, namespace) =>
      [...collection(resource).entries(namespace === undefined ? '' : `${namespace}/`)].map(([, object]) => object),
    put: (object) => putObject(world, object),
    delete: (resource, name, namespace) => {
      if (collection(resource).get(keyOf(namespace, name)) === undefined) return false;
      erase(world, { type: typeOf(resource), namespace, name, subresource: undefined }, 'Background');
      return true;
    },
    count: (resource) => collection(resource).size,
  };
}

function putObject(world: World, source: object): JsonObject {
  const object = toJson(source);
  const apiVersion = stringAt(object, 'apiVersion') ?? '';
  const kind = stringAt(object, 'kind') ?? '';
  const type = world.registry.findKind(apiVersion, kind);
  if (type === undefined || !isObject(object)) {
    throw new Error(`kind "${kind}" of apiVersion "${apiVersion}" is not served`);
  }
  const given = objectAt(object, 'metadata');
  const namespace = type.namespaced ? (stringAt(given, 'namespace') ?? 'default') : undefined;
  const old = world.store.collection(type).get(keyOf(namespace, stringAt(given, 'name') ?? ''));
  const before = objectAt(old, 'metadata');
  const metadata = defined({
    ...given,
    namespace,
    uid: before['uid'] ?? given['uid'] ?? newUid(world.random),
    creationTimestamp: before['creationTimestamp'] ?? given['creationTimestamp'] ?? timestamp(world.clock.now()),
    generation: type.countsGenerations ? (before['generation'] ?? given['generation'] ?? 1) : undefined,
  });
  const next = type.prepare(withDefaults(type, { ...object, metadata }));
  return world.store.put(type, old === undefined ? next : withGeneration(type, old, next));
}
