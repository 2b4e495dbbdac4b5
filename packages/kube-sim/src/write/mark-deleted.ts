import { defined, type JsonObject, numberAt, objectAt, stringsAt } from '../base/json.ts';
import { timestamp } from '../base/sim-clock.ts';
import { inVersion, type NamedTarget } from '../api/target.ts';
import type { World } from '../api/world.ts';
import type { ResourceType } from '../resources/resource-type.ts';
import { keyOf } from '../store/store.ts';
import type { Propagation } from './delete-options.ts';

/** Removes the object, or marks it as being deleted; answers the marked object. */
export function erase(world: World, target: NamedTarget, propagation: Propagation): JsonObject | undefined {
  const { type } = target;
  const key = keyOf(target.namespace, target.name);
  const stored = world.store.collection(type).get(key);
  if (stored === undefined) return undefined;
  const object = inVersion(stored, type);
  const marked = markDeleted(world, type, object, propagation);
  if (marked === undefined) world.store.remove(type, key);
  return marked === undefined || marked === object ? marked : world.store.put(type, marked);
}

/** The object as one that is being deleted; the same when nothing is new, undefined when no finalizer holds it. */
export function markDeleted(
  world: World,
  type: ResourceType,
  object: JsonObject,
  propagation: Propagation,
): JsonObject | undefined {
  const metadata = objectAt(object, 'metadata');
  const before = stringsAt(metadata, 'finalizers');
  const finalizers = withPropagation(before, propagation);
  if (finalizers.length === 0 && stringsAt(object, 'spec', 'finalizers').length === 0) return undefined;
  const isMarked = metadata['deletionTimestamp'] !== undefined;
  if (isMarked && finalizers === before) return object;
  const generation = numberAt(metadata, 'generation');
  const marked = defined({
    ...metadata,
    finalizers: finalizers.length === 0 ? undefined : finalizers,
    deletionTimestamp: metadata['deletionTimestamp'] ?? timestamp(world.clock.now()),
    deletionGracePeriodSeconds: 0,
    generation: isMarked || generation === undefined ? generation : generation + 1,
  });
  const phase = type.plural === 'namespaces' ? { status: { ...objectAt(object, 'status'), phase: 'Terminating' } } : {};
  return { ...object, ...phase, metadata: marked };
}

const OF_PROPAGATION: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion']);

/** The finalizers with the one that the policy asks for, and without that of another policy; the same list when they are these already. */
function withPropagation(before: readonly string[], propagation: Propagation): readonly string[] {
  if (propagation === undefined) return before;
  const wanted = { Foreground: ['foregroundDeletion'], Orphan: ['orphan'], Background: [] }[propagation];
  const after = [...before.filter((name) => !OF_PROPAGATION.has(name)), ...wanted];
  const isSame = after.length === before.length && after.every((name) => before.includes(name));
  return isSame ? before : after;
}
