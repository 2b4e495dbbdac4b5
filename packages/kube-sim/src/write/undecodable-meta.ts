import { goTypeName, isList, isObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { ResourceType } from '../resources/resource-type.ts';

/** What Go's decoder refuses: a text naming the first field of metadata that has the wrong type, or undefined. */
export function undecodableMetadata(type: ResourceType, object: JsonObject): string | undefined {
  const metadata = object['metadata'];
  if (!isObject(metadata)) return undefined;
  // The metadata of a custom object is decoded by itself.
  const place = type.custom ? 'ObjectMeta' : `${type.kind}.metadata`;
  const cannot = (value: JsonValue, field: string, expected: string) =>
    `json: cannot unmarshal ${goTypeName(value)} into Go struct field ${place}.${field} of type ${expected}`;
  for (const field of ['labels', 'annotations']) {
    const map = metadata[field];
    if (map === undefined || map === null) continue;
    if (!isObject(map)) return cannot(map, field, 'map[string]string');
    const wrong = Object.values(map).find((value) => typeof value !== 'string');
    if (wrong !== undefined) return cannot(wrong, field, 'string');
  }
  for (const field of ['finalizers', 'ownerReferences']) {
    const list = metadata[field];
    if (list !== undefined && list !== null && !isList(list)) return cannot(list, field, '[]string');
  }
  const text = ['name', 'namespace', 'generateName', 'uid', 'resourceVersion'].find(
    (field) => metadata[field] !== undefined && metadata[field] !== null && typeof metadata[field] !== 'string',
  );
  return text === undefined ? undefined : cannot(metadata[text] ?? null, text, 'string');
}
