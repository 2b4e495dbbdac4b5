import type { Result } from '../base/result.ts';
import type { Call } from '../api/call.ts';
import type { NamedTarget } from '../api/target.ts';
import type { World } from '../api/world.ts';
import { admitFields } from './candidate.ts';
import { decodeObject } from './decode.ts';
import { misplacement } from './misplacement.ts';
import { checkOptions } from './options.ts';
import { update } from './update.ts';
import type { Written } from './written.ts';

/** PUT of an object, or of its status. */
export async function put(world: World, call: Call, target: NamedTarget): Promise<Result<Written>> {
  const { type } = target;
  const options = checkOptions(call, 'UpdateOptions');
  if (!options.ok) return options;
  const decoded = decodeObject(call, type);
  if (!decoded.ok) return decoded;
  const misplaced = misplacement(target, decoded.value);
  if (misplaced !== undefined) return misplaced;
  return update(world, call, target, () => admitFields(call, type, decoded.value, false));
}
