import type { NamedTarget } from '../api/target.ts';
import { badRequest } from '../base/failures.ts';
import { type JsonObject, stringAt } from '../base/json.ts';
import type { Failure } from '../base/result.ts';

/** 400 where an object says that it is another one than that of the URL. */
export function misplacement({ type, name, namespace }: NamedTarget, object: JsonObject): Failure | undefined {
  const given = stringAt(object, 'metadata', 'name') ?? '';
  if (given === '') {
    return badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (given !== name) {
    return badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  }
  const home = stringAt(object, 'metadata', 'namespace');
  if (!type.namespaced || home === undefined || home === namespace) return undefined;
  return badRequest('the namespace of the provided object does not match the namespace sent on the request');
}
