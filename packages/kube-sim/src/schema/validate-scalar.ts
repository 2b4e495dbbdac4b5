import type { FieldError } from '../base/field-error.ts';
import { hasFormat } from './formats.ts';
import type { Schema } from './schema.ts';

/** Bounds of a number. Its format says nothing: Kubernetes 1.34 reads `int32` and does not check it. */
export function validateNumber(value: number, schema: Schema, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const add = (text: string) =>
    errors.push({ tag: 'invalid', path, value, detail: `${path} in body should be ${text}` });
  const { minimum, maximum, multipleOf } = schema;
  if (multipleOf !== undefined && value % multipleOf !== 0) add(`a multiple of ${String(multipleOf)}`);
  if (maximum !== undefined && (schema.exclusiveMaximum ? value >= maximum : value > maximum)) {
    add(`less than ${schema.exclusiveMaximum ? '' : 'or equal to '}${String(maximum)}`);
  }
  if (minimum !== undefined && (schema.exclusiveMinimum ? value <= minimum : value < minimum)) {
    add(`greater than ${schema.exclusiveMinimum ? '' : 'or equal to '}${String(minimum)}`);
  }
  return errors;
}

/** Length, pattern and format of a string: the first that is wrong. Lengths count code points, as Go's runes do. */
export function validateString(value: string, schema: Schema, path: string): readonly FieldError[] {
  const length = [...value].length;
  const { minLength, maxLength, pattern, format } = schema;
  if (maxLength !== undefined && length > maxLength) return [{ tag: 'too-long', path, max: maxLength }];
  if (minLength !== undefined && length < minLength) {
    const detail = `${path} in body should be at least ${String(minLength)} chars long`;
    return [{ tag: 'invalid', path, value, detail }];
  }
  if (pattern !== undefined && !pattern.regex.test(value)) {
    return [{ tag: 'invalid', path, value, detail: `${path} in body should match '${pattern.text}'` }];
  }
  if (format !== undefined && !hasFormat(value, format)) {
    return [{ tag: 'type', path, value, detail: `${path} in body must be of type ${format}: "${value}"` }];
  }
  return [];
}
