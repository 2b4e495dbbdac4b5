import type { JsonObject } from '../base/json.ts';
import { stringAt } from '../base/json.ts';
import { type Result, success } from '../base/result.ts';
import type { Call } from '../api/call.ts';
import { keyPrefix, selectorsOf, type Target } from '../api/target.ts';
import type { World } from '../api/world.ts';
import { remove } from './delete.ts';

/** DELETE of a collection: each object that the selectors pick. Answers the objects as they were. */
export async function removeAll(world: World, call: Call, target: Target): Promise<Result<readonly JsonObject[]>> {
  const selects = selectorsOf(call, target);
  if (!selects.ok) return selects;
  const picked = [...world.store.collection(target.type).entries(keyPrefix(target))]
    .map(([, object]) => object)
    .filter(selects.value);
  for (const object of picked) {
    const name = stringAt(object, 'metadata', 'name') ?? '';
    const namespace = stringAt(object, 'metadata', 'namespace');
    const removed = await remove(world, call, { ...target, name, namespace });
    if (!removed.ok && removed.code !== 404) return removed;
  }
  return success(picked);
}
