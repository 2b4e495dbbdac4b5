import { isList, isObject, type JsonValue, sameJson } from '../base/json.ts';
import type { Schema } from './schema.ts';

/** The item of an old list that `item` takes the place of: only lists of type map say which that is. */
export function correlate(previous: JsonValue | undefined, item: JsonValue, schema: Schema): JsonValue | undefined {
  if (schema.listType !== 'map' || !isList(previous) || !isObject(item)) return undefined;
  return previous.find((old) => isObject(old) && schema.listMapKeys.every((key) => sameJson(old[key], item[key])));
}
