import type { FieldError } from '../base/field-error.ts';
import { isList, isObject, type JsonValue, sameJson } from '../base/json.ts';
import { validateList } from './validate-list.ts';
import { validateNumber, validateString } from './validate-scalar.ts';
import { validateObject } from './validate-object.ts';
import type { Schema } from './schema.ts';

/**
 * Checks `value` and answers what is wrong, in the words of the API server. What did not change from `previous` is not
 * held against an update, so that objects from before a schema was tightened can still be written (KEP-4008).
 */
export function validate(value: JsonValue, schema: Schema, path: string, previous?: JsonValue): readonly FieldError[] {
  if (previous !== undefined && sameJson(value, previous)) return [];
  if (value === null && schema.nullable) return [];
  const wrongType = typeError(value, schema, path);
  if (wrongType !== undefined) return [wrongType];
  return [
    ...validateValue(value, schema, path, previous),
    ...enumErrors(value, schema, path),
    ...combinations(value, schema, path),
  ];
}

function validateValue(
  value: JsonValue,
  schema: Schema,
  path: string,
  previous: JsonValue | undefined,
): readonly FieldError[] {
  if (typeof value === 'string') return validateString(value, schema, path);
  if (typeof value === 'number') return validateNumber(value, schema, path);
  if (isList(value)) return validateList(value, schema, path, previous, validate);
  if (isObject(value)) return validateObject(value, schema, path, previous, validate);
  return [];
}

function typeError(value: JsonValue, schema: Schema, path: string): FieldError | undefined {
  const actual = typeName(value);
  if (schema.intOrString) {
    if (actual === 'integer' || actual === 'string') return undefined;
    return mustBe('integer,string', actual, path);
  }
  if (schema.type === undefined) return undefined;
  if (schema.type === actual || (schema.type === 'number' && actual === 'integer')) return undefined;
  return mustBe(schema.type, actual, path);
}

function mustBe(expected: string, actual: string, path: string): FieldError {
  const detail = `${path} in body must be of type ${expected}: "${actual}"`;
  return { tag: 'type', path, value: actual, detail };
}

function typeName(value: JsonValue): string {
  if (value === null) return 'null';
  if (isList(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function enumErrors(value: JsonValue, schema: Schema, path: string): readonly FieldError[] {
  if (schema.enum === undefined || schema.enum.some((allowed) => sameJson(allowed, value))) return [];
  const supported = schema.enum.map((allowed) => (typeof allowed === 'string' ? allowed : JSON.stringify(allowed)));
  return [{ tag: 'unsupported', path, value, supported }];
}

function combinations(value: JsonValue, schema: Schema, path: string): readonly FieldError[] {
  const fits = (candidate: Schema) => validate(value, candidate, path).length === 0;
  const errors: FieldError[] = schema.allOf.flatMap((part) => [...validate(value, part, path)]);
  const add = (detail: string) => errors.push({ tag: 'invalid', path, value, detail });
  if (schema.anyOf.length > 0 && !schema.anyOf.some(fits)) add(`"${path}" must validate at least one schema (anyOf)`);
  if (schema.oneOf.length > 0) {
    const count = schema.oneOf.filter(fits).length;
    const found = count === 0 ? 'Found none valid' : `Found ${String(count)} valid alternatives`;
    if (count !== 1) add(`"${path}" must validate one and only one schema (oneOf). ${found}`);
  }
  if (schema.not !== undefined && fits(schema.not)) add(`"${path}" must not validate the schema (not)`);
  return errors;
}
