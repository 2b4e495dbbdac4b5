import { badRequest, invalid } from '../base/failures.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { type Result, success } from '../base/result.ts';
import type { Call } from '../api/call.ts';
import { applyDefaults } from '../schema/defaults.ts';
import { validate } from '../schema/validate.ts';
import { checkRules } from '../schema/rules.ts';
import type { ResourceType } from '../resources/resource-type.ts';
import { checkMetadata, wrongMetadataType } from './check-meta.ts';
import { type Pruned, pruneStrictly } from './strict.ts';

/** What every object goes through as it comes in: types of metadata, unknown fields, pruning, defaults. */
export function admitFields(call: Call, type: ResourceType, object: JsonObject, isPatch: boolean): Result<Pruned> {
  const wrong = wrongMetadataType(object) ?? type.undecodable(object);
  if (wrong !== undefined) {
    return badRequest(`${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: ${wrong}`);
  }
  const pruned = pruneStrictly(call, type, object, isPatch);
  if (!pruned.ok) return pruned;
  return success({ object: withDefaults(type, pruned.value.object), warnings: pruned.value.warnings });
}

/** The object with its schema's defaults. */
export function withDefaults(type: ResourceType, object: JsonObject): JsonObject {
  if (type.schema === undefined) return object;
  const filled = applyDefaults(object, type.schema);
  return isObject(filled) ? filled : object;
}

/** Checks an object before it is stored; `previous` is what it replaces. */
export function checkObject(
  type: ResourceType,
  object: JsonObject,
  previous: JsonObject | undefined,
): Result<JsonObject> {
  const shape = [
    ...checkMetadata(object),
    ...(type.schema === undefined ? [] : validate(object, type.schema, '')),
    ...type.check(object, previous),
  ];
  // Rules may read what the shape promises, so they are asked only when it holds.
  const errors = shape.length > 0 || type.schema === undefined ? shape : checkRules(object, previous, type.schema);
  if (errors.length === 0) return success(object);
  const metadata = object['metadata'];
  const name = isObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : '';
  return invalid(type, name, errors);
}
