import { badRequest, tooLargeResourceVersion } from '../base/failures.ts';
import { type Result, success } from '../base/result.ts';
import type { Call } from './call.ts';
import type { World } from './world.ts';

/**
 * The resourceVersion of a request: undefined for "the newest". A version that is still to come gets 504, as from a
 * server whose cache waited for it in vain.
 */
export function requestedVersion(world: World, call: Call): Result<number | undefined> {
  const text = call.query.get('resourceVersion') ?? '';
  if (text === '') return success(undefined);
  if (!/^\d+$/u.test(text)) return badRequest(`invalid resource version: ${JSON.stringify(text)}`);
  const version = Number(text);
  return version > world.store.version ? tooLargeResourceVersion(version, world.store.version) : success(version);
}
