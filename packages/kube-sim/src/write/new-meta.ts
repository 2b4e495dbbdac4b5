import { badRequest, notFound } from '../base/failures.ts';
import { defined, type JsonObject, objectAt, stringAt } from '../base/json.ts';
import { type Result, success } from '../base/result.ts';
import { timestamp } from '../base/sim-clock.ts';
import type { Target } from '../api/target.ts';
import { newUid, randomSuffix } from '../base/identity.ts';
import type { World } from '../api/world.ts';

const NAMESPACES = { group: '', plural: 'namespaces', kind: 'Namespace' } as const;

/** The object with the metadata that the server gives to a new one, in the namespace of the request. */
export function newMetadata(world: World, target: Target, object: JsonObject): Result<JsonObject> {
  const given = objectAt(object, 'metadata');
  const namespace = namespaceFor(world, target, stringAt(given, 'namespace') ?? '');
  if (!namespace.ok) return namespace;
  const prefix = stringAt(given, 'generateName');
  const name = stringAt(given, 'name') ?? (prefix === undefined ? undefined : prefix + randomSuffix(world.random));
  const metadata = defined({
    ...given,
    name,
    namespace: namespace.value,
    uid: newUid(world.random),
    creationTimestamp: timestamp(world.clock.now()),
    generation: target.type.countsGenerations ? 1 : undefined,
    resourceVersion: undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
  });
  return success({ ...object, metadata });
}

function namespaceFor(world: World, target: Target, given: string): Result<string | undefined> {
  if (!target.type.namespaced) return success(undefined);
  const namespace = target.namespace ?? '';
  if (given !== '' && given !== namespace) {
    return badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  const found = world.store.collection(NAMESPACES).get(namespace);
  return found === undefined ? notFound(NAMESPACES, namespace) : success(namespace);
}
