import { badRequest, plainError, tooLargeResourceVersion } from '../base/failures.ts';
import { type Failure, type Result, success } from '../base/result.ts';
import type { Call } from './call.ts';
import type { World } from './world.ts';

/**
 * The resourceVersion of a request: undefined for "the newest". A version that is still to come gets 504, as from a
 * server whose cache waited for it in vain. What is no number gets 500, but for lists 400.
 */
export function requestedVersion(world: World, call: Call, isList = false): Result<number | undefined> {
  const text = call.query.get('resourceVersion') ?? '';
  if (text === '') return success(undefined);
  if (!/^\d+$/u.test(text)) return noVersion(text, isList);
  const version = Number(text);
  return version > world.store.version ? tooLargeResourceVersion(version, world.store.version) : success(version);
}

function noVersion(text: string, isList: boolean): Failure {
  const quoted = JSON.stringify(text);
  const why = `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`;
  return isList ? badRequest(`invalid resource version: ${why}`) : plainError(why);
}
