import { badRequest } from '../base/failures.ts';
import { stringAt } from '../base/json.ts';
import type { Result } from '../base/result.ts';
import type { Call } from '../api/call.ts';
import type { NamedTarget } from '../api/target.ts';
import type { World } from '../api/world.ts';
import { admitFields } from './candidate.ts';
import { decodeObject } from './decode.ts';
import { update } from './update.ts';
import type { Written } from './written.ts';

/** PUT of an object, or of its status. */
export async function put(world: World, call: Call, target: NamedTarget): Promise<Result<Written>> {
  const { type, name, namespace } = target;
  const decoded = decodeObject(call, type);
  if (!decoded.ok) return decoded;
  const given = stringAt(decoded.value, 'metadata', 'name') ?? '';
  if (given !== name) {
    return badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  }
  const home = stringAt(decoded.value, 'metadata', 'namespace');
  if (type.namespaced && home !== undefined && home !== namespace) {
    return badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  return update(world, call, target, () => admitFields(call, type, decoded.value, false));
}
