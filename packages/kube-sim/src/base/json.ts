/** What JSON can say. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object. Objects of the store are never changed in place, only replaced. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** An object of no fields. */
export const NOTHING: JsonObject = {};

/** True for a JSON object, false for lists, scalars and null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a JSON list. */
export function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The value below `path`, or undefined where something on the way is missing or no object. */
export function valueAt(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  let current = value;
  for (const key of path) {
    if (!isObject(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}

/** The object below `path`; an empty one when there is none. */
export function objectAt(value: JsonValue | undefined, ...path: readonly string[]): JsonObject {
  const found = valueAt(value, ...path);
  return isObject(found) ? found : NOTHING;
}

/** The list below `path`; an empty one when there is none. */
export function listAt(value: JsonValue | undefined, ...path: readonly string[]): readonly JsonValue[] {
  const found = valueAt(value, ...path);
  return isList(found) ? found : [];
}

/** The strings of the list below `path`. */
export function stringsAt(value: JsonValue | undefined, ...path: readonly string[]): readonly string[] {
  return listAt(value, ...path).filter((item) => typeof item === 'string');
}

/** The string below `path`, or undefined. */
export function stringAt(value: JsonValue | undefined, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

/** The number below `path`, or undefined. */
export function numberAt(value: JsonValue | undefined, ...path: readonly string[]): number | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'number' ? found : undefined;
}

/** A copy of `fields` without those that are undefined. */
export function defined(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) result[key] = value;
  return result;
}

/** A copy of `object` without the fields in `keys`. */
export function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(object)) if (!keys.includes(key)) result[key] = value;
  return result;
}

/** True when both say the same; the order of an object's fields does not count. */
export function sameJson(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (isList(left) && isList(right)) {
    return left.length === right.length && left.every((item, index) => sameJson(item, right[index]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && sameJson(left[key], right[key]));
}

/** Reads JSON text. Answers undefined when `text` is none. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A plain JSON copy of a value from outside; undefined when it is none. */
export function toJson(value: unknown): JsonValue | undefined {
  const text: unknown = JSON.stringify(value);
  return typeof text === 'string' ? parseJson(text) : undefined;
}

/** JSON.parse answers nothing else; the check is for the compiler. */
function isJson(value: unknown): value is JsonValue {
  return value !== undefined;
}

/** The type of a value, as Go's decoder names it. */
export function goTypeName(value: JsonValue): string {
  if (isList(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
