import type { FieldError } from '../base/field-error.ts';
import { type JsonObject, type JsonValue, valueAt } from '../base/json.ts';
import type { Schema } from './schema.ts';
import type { Validate } from './validate-list.ts';

/** Required fields, the number of fields, and each field of an object. */
export function validateObject(
  value: JsonObject,
  schema: Schema,
  path: string,
  previous: JsonValue | undefined,
  validate: Validate,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const keys = Object.keys(value);
  const at = (key: string) => (path === '' ? key : `${path}.${key}`);
  const { minProperties, maxProperties } = schema;
  if (maxProperties !== undefined && keys.length > maxProperties) {
    errors.push({ tag: 'too-many', path, actual: keys.length, max: maxProperties });
  }
  if (minProperties !== undefined && keys.length < minProperties) {
    const detail = `${path} in body should have at least ${String(minProperties)} properties`;
    errors.push({ tag: 'invalid', path, value: keys.length, detail });
  }
  for (const key of schema.required) {
    if (!Object.hasOwn(value, key)) errors.push({ tag: 'required', path: at(key), detail: '' });
  }
  for (const [key, field] of Object.entries(value)) {
    const known = schema.properties.get(key) ?? schema.additionalProperties;
    if (known === undefined || known === true) continue;
    errors.push(...validate(field, known, at(key), valueAt(previous, key)));
  }
  return errors;
}
