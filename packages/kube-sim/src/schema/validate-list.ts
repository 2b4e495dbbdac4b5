import type { FieldError } from '../base/field-error.ts';
import { isObject, type JsonValue } from '../base/json.ts';
import { correlate } from './correlate.ts';
import type { Schema } from './schema.ts';

/** How one value is checked; passed in because the checks call each other. */
export type Validate = (
  value: JsonValue,
  schema: Schema,
  path: string,
  previous: JsonValue | undefined,
) => readonly FieldError[];

/** Length, items and uniqueness of a list. */
export function validateList(
  value: readonly JsonValue[],
  schema: Schema,
  path: string,
  previous: JsonValue | undefined,
  validate: Validate,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { minItems, maxItems, items } = schema;
  if (maxItems !== undefined && value.length > maxItems) {
    errors.push({ tag: 'too-many', path, actual: value.length, max: maxItems });
  }
  if (minItems !== undefined && value.length < minItems) {
    const detail = `${path} in body should have at least ${String(minItems)} items`;
    errors.push({ tag: 'invalid', path, value: value.length, detail });
  }
  if (items !== undefined) {
    for (const [index, item] of value.entries()) {
      const old = correlate(previous, item, schema);
      errors.push(...validate(item, items, `${path}[${String(index)}]`, old));
    }
  }
  return [...errors, ...duplicates(value, schema, path)];
}

function duplicates(value: readonly JsonValue[], schema: Schema, path: string): readonly FieldError[] {
  if (schema.listType !== 'set' && schema.listType !== 'map') return [];
  const seen = new Set<string>();
  return value.flatMap((item, index): readonly FieldError[] => {
    if (schema.listType === 'map' && !isObject(item)) {
      const detail = 'must be an object for an array of list-type map';
      return [{ tag: 'invalid', path: `${path}[${String(index)}]`, value: item, detail }];
    }
    const identity = schema.listType === 'set' ? item : mapKeys(item, schema.listMapKeys);
    const text = JSON.stringify(identity);
    if (seen.has(text)) return [{ tag: 'duplicate', path: `${path}[${String(index)}]`, value: identity }];
    seen.add(text);
    return [];
  });
}

function mapKeys(item: JsonValue, keys: readonly string[]): JsonValue {
  const result: Record<string, JsonValue> = {};
  if (isObject(item)) {
    for (const key of keys) {
      const value = item[key];
      if (value !== undefined) result[key] = value;
    }
  }
  return result;
}
