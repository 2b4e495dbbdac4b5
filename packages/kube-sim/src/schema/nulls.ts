import { isList, isObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { Schema } from './schema.ts';

/**
 * Drops each field that is null where its schema neither allows null nor has a default, as if it had not been sent. Nulls in lists,
 * and in what has no schema, stay.
 */
export function dropNulls(value: JsonValue, schema: Schema): JsonValue {
  const { items } = schema;
  if (isList(value)) return items === undefined ? value : value.map((item) => dropNulls(item, items));
  return isObject(value) ? dropFields(value, schema) : value;
}

function dropFields(value: JsonObject, schema: Schema): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const [key, field] of Object.entries(value)) {
    const known = schema.properties.get(key) ?? schema.additionalProperties;
    if (known === undefined || known === true) result[key] = field;
    else if (field !== null) result[key] = dropNulls(field, known);
    else if (known.nullable || known.default !== undefined) result[key] = null;
  }
  return result;
}
