import type { Call } from '../api/call.ts';
import type { FieldError } from '../base/field-error.ts';
import { invalid } from '../base/failures.ts';
import { type Result, success } from '../base/result.ts';

/** The options of a write, as meta/v1 names them. */
export type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions';

/** Checks `dryRun` and `fieldValidation` in the query. */
export function checkOptions(call: Call, kind: OptionsKind): Result<undefined> {
  const errors = [...checkDryRun(call.query.getAll('dryRun')), ...checkFieldValidation(call)];
  return errors.length === 0 ? success(undefined) : wrongOptions(kind, errors);
}

/** 422 for options. */
export function wrongOptions(kind: OptionsKind, errors: readonly FieldError[]) {
  return invalid({ group: 'meta.k8s.io', kind }, '', errors);
}

/** The only dry run is one of everything. */
export function checkDryRun(values: readonly string[]): readonly FieldError[] {
  if (values.every((value) => value === 'All')) return [];
  return [{ tag: 'unsupported', path: 'dryRun', value: values, supported: ['All'] }];
}

const DIRECTIVES = ['', 'Ignore', 'Strict', 'Warn'];

function checkFieldValidation(call: Call): readonly FieldError[] {
  const value = call.query.get('fieldValidation') ?? '';
  if (DIRECTIVES.includes(value)) return [];
  return [{ tag: 'unsupported', path: 'fieldValidation', value, supported: DIRECTIVES }];
}
