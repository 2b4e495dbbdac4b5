import { isList, isObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { Schema } from './schema.ts';

/** Fills in the schema's defaults where a field is missing, or null where null is not allowed. */
export function applyDefaults(value: JsonValue, schema: Schema): JsonValue {
  if (isList(value)) {
    const items = schema.items;
    if (items === undefined) return value;
    const filled = value.map((item) => applyDefaults(item, items));
    return filled.some((item, index) => item !== value[index]) ? filled : value;
  }
  return isObject(value) ? defaultObject(value, schema) : value;
}

function defaultObject(value: JsonObject, schema: Schema): JsonObject {
  const result: Record<string, JsonValue> = { ...value };
  const changed = new Set<string>();
  const set = (key: string, field: JsonValue) => {
    if (result[key] === field) return;
    result[key] = field;
    changed.add(key);
  };
  for (const [key, child] of schema.properties) {
    const present = Object.hasOwn(value, key) ? value[key] : undefined;
    const missing = present === undefined || (present === null && !child.nullable && child.default !== undefined);
    const field = missing ? child.default : present;
    if (field !== undefined) set(key, applyDefaults(field, child));
  }
  const additional = schema.additionalProperties;
  if (additional !== undefined && additional !== true) {
    for (const [key, field] of Object.entries(value)) {
      if (!schema.properties.has(key)) set(key, applyDefaults(field, additional));
    }
  }
  return changed.size === 0 ? value : result;
}
