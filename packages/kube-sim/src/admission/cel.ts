import { Environment } from '@marcbachmann/cel-js';
import type { JsonValue } from '../base/json.ts';

/** What an expression came to; a failure says why it could not be evaluated. */
export type CelResult =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

type Program = (variables: Readonly<Record<string, unknown>>) => unknown;

const environment = new Environment({
  unlistedVariablesAreDyn: true,
  homogeneousAggregateLiterals: false,
  enableOptionalTypes: true,
});
const programs = new Map<string, Program>();

/** Evaluates a CEL expression. Whole numbers are CEL ints, as Kubernetes has them. */
export function evaluateCel(expression: string, variables: Readonly<Record<string, JsonValue>>): CelResult {
  try {
    const known = programs.get(expression) ?? environment.parse(expression);
    programs.set(expression, known);
    const values = Object.entries(variables).map(([name, value]) => [name, toCel(value)] as const);
    return { ok: true, value: known(Object.fromEntries(values)) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

function toCel(value: JsonValue): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(toCel);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, toCel(field)]));
}
