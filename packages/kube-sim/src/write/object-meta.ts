import { isObject, type JsonObject, type JsonValue } from '../base/json.ts';

/** The fields of ObjectMeta (meta/v1). managedFields are read and dropped: this server does no server-side apply. */
const FIELDS: ReadonlySet<string> = new Set([
  'annotations',
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'finalizers',
  'generateName',
  'generation',
  'labels',
  'managedFields',
  'name',
  'namespace',
  'ownerReferences',
  'resourceVersion',
  'selfLink',
  'uid',
]);

/** Metadata without unknown fields, nulls and empty maps and lists, as Go's encoder leaves them out. */
export function pruneMetadata(metadata: JsonValue | undefined, onUnknown: (path: string) => void): JsonObject {
  if (!isObject(metadata)) return {};
  const result: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(metadata)) {
    if (!FIELDS.has(key)) onUnknown(`metadata.${key}`);
    else if (key !== 'managedFields' && key !== 'selfLink' && !isEmpty(value)) result[key] = value;
  }
  return result;
}

function isEmpty(value: JsonValue): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
