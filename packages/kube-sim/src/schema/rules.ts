import type { FieldError } from '../base/field-error.ts';
import { isList, isObject, type JsonObject, type JsonValue, sameJson } from '../base/json.ts';
import { evaluateCel } from '../admission/cel.ts';
import { correlate } from './correlate.ts';
import type { Schema, SchemaRule } from './schema.ts';

/** Asks the CEL rules of `x-kubernetes-validations`. Rules that name `oldSelf` are asked only where there is an old value. */
export function checkRules(
  value: JsonValue,
  previous: JsonValue | undefined,
  schema: Schema,
  path = '',
): readonly FieldError[] {
  if (value === null || !schema.hasRules) return [];
  const own = schema.rules.flatMap((rule) => checkRule(value, previous, rule, path));
  const { items } = schema;
  if (isList(value) && items !== undefined) {
    const ofItems = value.map((item, index) =>
      checkRules(item, correlate(previous, item, schema), items, `${path}[${String(index)}]`),
    );
    return [...own, ...ofItems.flat()];
  }
  if (!isObject(value)) return own;
  return [...own, ...checkFields(value, isObject(previous) ? previous : undefined, schema, path)];
}

function checkFields(
  value: JsonObject,
  previous: JsonObject | undefined,
  schema: Schema,
  path: string,
): readonly FieldError[] {
  return Object.entries(value).flatMap(([key, field]): readonly FieldError[] => {
    const known = schema.properties.get(key) ?? schema.additionalProperties;
    if (known === undefined || known === true) return [];
    return checkRules(field, previous?.[key], known, path === '' ? key : `${path}.${key}`);
  });
}

function checkRule(
  value: JsonValue,
  previous: JsonValue | undefined,
  rule: SchemaRule,
  path: string,
): readonly FieldError[] {
  const isTransition = /\boldSelf\b/u.test(rule.rule);
  // A rule that compares needs an old value; any other is not held against a value that did not change.
  if (isTransition ? previous === undefined : previous !== undefined && sameJson(value, previous)) return [];
  const result = evaluateCel(rule.rule, { self: value, oldSelf: previous ?? null });
  if (result.ok && result.value === true) return [];
  const detail = result.ok ? (rule.message ?? `failed rule: ${rule.rule}`) : `rule evaluation error: ${result.message}`;
  const at = `${path}${rule.fieldPath ?? ''}`;
  const shown = isObject(value) ? 'object' : isList(value) ? 'array' : value;
  return [{ tag: 'invalid', path: at === '' ? '<nil>' : at, value: shown, detail }];
}
