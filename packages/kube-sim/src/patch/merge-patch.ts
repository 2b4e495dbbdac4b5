import { isObject, type JsonObject, type JsonValue, NOTHING } from '../base/json.ts';

/** Applies an RFC 7386 merge patch: null removes a field, objects are merged, everything else is replaced. */
export function applyMergePatch(target: JsonValue | undefined, patch: JsonObject): JsonObject {
  const result: Record<string, JsonValue> = { ...(isObject(target) ? target : NOTHING) };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(result, key);
    else result[key] = isObject(value) ? applyMergePatch(result[key], value) : value;
  }
  return result;
}
