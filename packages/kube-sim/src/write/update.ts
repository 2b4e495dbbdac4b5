import { conflict, notFound } from '../base/failures.ts';
import { type JsonObject, sameJson, stringAt, stringsAt } from '../base/json.ts';
import { type Result, success } from '../base/result.ts';
import { type Call, isDryRun } from '../api/call.ts';
import { inVersion, type NamedTarget } from '../api/target.ts';
import type { World } from '../api/world.ts';
import { keyOf } from '../store/store.ts';
import { checkObject } from './candidate.ts';
import { finalizerWarnings } from './finalizer-warnings.ts';
import { nextObject } from './next-object.ts';
import type { Pruned } from './strict.ts';
import type { Written } from './written.ts';

/** Makes the object that the client wants from the one that is stored. */
export type MakeCandidate = (old: JsonObject) => Result<Pruned>;

/** How often a patch is made anew when another write came between: as in the real server. */
const ATTEMPTS = 5;

/** Replaces an object with what `make` makes of it: PUT and PATCH, of the object or its status. */
export async function update(
  world: World,
  call: Call,
  target: NamedTarget,
  make: MakeCandidate,
): Promise<Result<Written>> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const written = await tryUpdate(world, call, target, make);
    if (written !== undefined) return written;
  }
  return conflict(target.type, target.name);
}

/** One try; undefined when another write came between, so that the candidate has to be made anew. */
async function tryUpdate(
  world: World,
  call: Call,
  target: NamedTarget,
  make: MakeCandidate,
): Promise<Result<Written> | undefined> {
  const { type, name, namespace } = target;
  const collection = world.store.collection(type);
  const key = keyOf(namespace, name);
  const stored = collection.get(key);
  if (stored === undefined) return notFound(type, name);
  const old = inVersion(stored, type);
  const candidate = make(old);
  if (!candidate.ok) return candidate;
  const next = nextObject(target, old, candidate.value.object);
  if (!next.ok) return next;
  const object = type.prepare(next.value);
  const checked = checkObject(type, object, old, target.subresource);
  if (!checked.ok) return checked;
  const dryRun = isDryRun(call);
  const { subresource } = target;
  const warnings = await world.admit(
    { operation: 'UPDATE', type, subresource, namespace, name, object, oldObject: old, dryRun },
    call.signal,
  );
  if (!warnings.ok) return warnings;
  if (collection.get(key) !== stored) return undefined;
  const result = dryRun || sameJson(object, old) ? object : replace(world, target, object);
  const told = [...candidate.value.warnings, ...warnings.value, ...finalizerWarnings(type, object, old)];
  return success({ code: 200, object: result, warnings: told });
}

/** Stores the object; one whose last finalizer went while it was being deleted is removed instead. */
function replace(world: World, target: NamedTarget, object: JsonObject): JsonObject {
  const deleting = stringAt(object, 'metadata', 'deletionTimestamp') !== undefined;
  const held =
    stringsAt(object, 'metadata', 'finalizers').length > 0 || stringsAt(object, 'spec', 'finalizers').length > 0;
  if (!deleting || held) return world.store.put(target.type, object);
  world.store.remove(target.type, keyOf(target.namespace, target.name));
  return object;
}
