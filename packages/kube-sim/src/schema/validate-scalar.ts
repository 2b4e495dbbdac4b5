import type { FieldError } from '../base/field-error.ts';
import { hasFormat } from './formats.ts';
import type { Schema } from './schema.ts';

const INT32_MAX = 2 ** 31 - 1;

/** Bounds of a number. */
export function validateNumber(value: number, schema: Schema, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const add = (text: string) =>
    errors.push({ tag: 'invalid', path, value, detail: `${path} in body should be ${text}` });
  const { minimum, maximum, multipleOf } = schema;
  if (minimum !== undefined && (schema.exclusiveMinimum ? value <= minimum : value < minimum)) {
    add(`greater than ${schema.exclusiveMinimum ? '' : 'or equal to '}${String(minimum)}`);
  }
  if (maximum !== undefined && (schema.exclusiveMaximum ? value >= maximum : value > maximum)) {
    add(`less than ${schema.exclusiveMaximum ? '' : 'or equal to '}${String(maximum)}`);
  }
  if (multipleOf !== undefined && value % multipleOf !== 0) add(`a multiple of ${String(multipleOf)}`);
  if (schema.format === 'int32' && (value > INT32_MAX || value < -INT32_MAX - 1)) {
    const detail = `${path} in body must be of type int32: "${String(value)}"`;
    errors.push({ tag: 'type', path, value, detail });
  }
  return errors;
}

/** Length, pattern and format of a string. Lengths count code points, as Go's runes do. */
export function validateString(value: string, schema: Schema, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const length = [...value].length;
  const { minLength, maxLength, pattern, format } = schema;
  if (maxLength !== undefined && length > maxLength) errors.push({ tag: 'too-long', path, max: maxLength });
  if (minLength !== undefined && length < minLength) {
    const detail = `${path} in body should be at least ${String(minLength)} chars long`;
    errors.push({ tag: 'invalid', path, value, detail });
  }
  if (pattern !== undefined && !pattern.regex.test(value)) {
    errors.push({ tag: 'invalid', path, value, detail: `${path} in body should match '${pattern.text}'` });
  }
  if (format !== undefined && !hasFormat(value, format)) {
    errors.push({ tag: 'type', path, value, detail: `${path} in body must be of type ${format}: "${value}"` });
  }
  return errors;
}
