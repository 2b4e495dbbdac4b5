import { isList, isObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { Schema } from './schema.ts';

const RESOURCE_FIELDS = ['apiVersion', 'kind', 'metadata'];

/**
 * Drops the fields that the schema does not know, and reports each by its path. `root` is true for a whole resource,
 * whose apiVersion, kind and metadata are always known.
 */
export function prune(
  value: JsonValue,
  schema: Schema,
  onUnknown: (path: string) => void,
  path = '',
  root = false,
): JsonValue {
  if (isList(value)) {
    const items = schema.items;
    if (items === undefined) return value;
    return mapList(value, (item, index) =>
      prune(item, items, onUnknown, `${path}[${String(index)}]`, items.embeddedResource),
    );
  }
  if (!isObject(value)) return value;
  return pruneObject(value, schema, onUnknown, path, root || schema.embeddedResource);
}

function pruneObject(
  value: JsonObject,
  schema: Schema,
  onUnknown: (path: string) => void,
  path: string,
  resource: boolean,
): JsonObject {
  const result: Record<string, JsonValue> = {};
  let changed = false;
  for (const [key, field] of Object.entries(value)) {
    const fieldPath = path === '' ? key : `${path}.${key}`;
    if (resource && RESOURCE_FIELDS.includes(key)) {
      result[key] = field;
      continue;
    }
    const known = schema.properties.get(key) ?? schema.additionalProperties;
    if (known === undefined && !schema.preserveUnknownFields) {
      onUnknown(fieldPath);
      changed = true;
      continue;
    }
    const kept = known === undefined || known === true ? field : prune(field, known, onUnknown, fieldPath);
    changed ||= kept !== field;
    result[key] = kept;
  }
  return changed ? result : value;
}

function mapList(
  list: readonly JsonValue[],
  change: (item: JsonValue, index: number) => JsonValue,
): readonly JsonValue[] {
  const mapped = list.map(change);
  return mapped.some((item, index) => item !== list[index]) ? mapped : list;
}
