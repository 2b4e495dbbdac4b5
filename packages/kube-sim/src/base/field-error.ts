import type { JsonValue } from './json.ts';

/** What is wrong with one field. Texts follow k8s.io/apimachinery/pkg/util/validation/field. */
export type FieldError =
  | { readonly tag: 'required'; readonly path: string; readonly detail: string }
  | { readonly tag: 'invalid'; readonly path: string; readonly value: JsonValue; readonly detail: string }
  | { readonly tag: 'type'; readonly path: string; readonly value: JsonValue; readonly detail: string }
  | {
      readonly tag: 'unsupported';
      readonly path: string;
      readonly value: JsonValue;
      readonly supported: readonly string[];
    }
  /** Text that is like no other: what Go's own formatting makes of a number. */
  | { readonly tag: 'raw'; readonly path: string; readonly detail: string }
  | { readonly tag: 'duplicate'; readonly path: string; readonly value: JsonValue }
  | { readonly tag: 'forbidden'; readonly path: string; readonly detail: string }
  | { readonly tag: 'too-long'; readonly path: string; readonly max: number }
  | { readonly tag: 'too-many'; readonly path: string; readonly actual: number; readonly max: number };

/** `path: body`. */
export function fieldErrorText(error: FieldError): string {
  return `${error.path}: ${fieldErrorBody(error)}`;
}

/** The text without the field's path, as a Status cause has it. */
export function fieldErrorBody(error: FieldError): string {
  switch (error.tag) {
    case 'required':
      return withDetail('Required value', error.detail);
    case 'invalid':
    case 'type':
      return withDetail(`Invalid value: ${JSON.stringify(error.value)}`, error.detail);
    case 'raw':
      return error.detail;
    case 'unsupported': {
      const supported = error.supported.map((value) => JSON.stringify(value)).join(', ');
      return `Unsupported value: ${JSON.stringify(error.value)}: supported values: ${supported}`;
    }
    case 'duplicate':
      return `Duplicate value: ${JSON.stringify(error.value)}`;
    case 'forbidden':
      return withDetail('Forbidden', error.detail);
    case 'too-long':
      return `Too long: may not be more than ${String(error.max)} bytes`;
    case 'too-many':
      return `Too many: ${String(error.actual)}: must have at most ${String(error.max)} items`;
  }
}

/** The machine-readable reason of a Status cause. */
export function fieldErrorReason(error: FieldError): string {
  switch (error.tag) {
    case 'required':
      return 'FieldValueRequired';
    case 'invalid':
    case 'raw':
      return 'FieldValueInvalid';
    case 'type':
      return 'FieldValueTypeInvalid';
    case 'unsupported':
      return 'FieldValueNotSupported';
    case 'duplicate':
      return 'FieldValueDuplicate';
    case 'forbidden':
      return 'FieldValueForbidden';
    case 'too-long':
      return 'FieldValueTooLong';
    case 'too-many':
      return 'FieldValueTooMany';
  }
}

function withDetail(head: string, detail: string): string {
  return detail === '' ? head : `${head}: ${detail}`;
}
