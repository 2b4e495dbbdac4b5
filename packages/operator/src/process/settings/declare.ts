import type { DefaultedVariable, Variable } from './variable.ts';

/** Declares a variable that has no default. */
export function variable<T>(declaration: Variable<T>): Variable<T> {
  return declaration;
}

/** Declares a variable with a default. */
export function defaulted<T extends string | number | boolean | readonly string[]>(
  declaration: DefaultedVariable<T>,
): DefaultedVariable<T> {
  return declaration;
}
