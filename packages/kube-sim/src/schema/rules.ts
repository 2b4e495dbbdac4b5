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
  const own = schema.rules.flatMap((rule) => checkRule(value, previous, schema, rule, path));
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
  schema: Schema,
  rule: SchemaRule,
  path: string,
): readonly FieldError[] {
  const isTransition = /\boldSelf\b/u.test(rule.rule);
  // A rule that compares needs an old value; any other is not held against a value that did not change.
  if (isTransition ? previous === undefined : previous !== undefined && sameJson(value, previous)) return [];
  const variables = { self: value, oldSelf: previous ?? null };
  const result = evaluateCel(rule.rule, variables);
  if (result.ok && result.value === true) return [];
  const detail = result.ok ? messageOf(rule, variables) : `rule evaluation error: ${result.message}`;
  const at = `${path}${rule.fieldPath ?? ''}`;
  return [toError(rule.reason, at === '' ? '<nil>' : at, schema.type ?? '', detail)];
}

function messageOf(rule: SchemaRule, variables: Readonly<Record<string, JsonValue>>): string {
  const told = rule.messageExpression === undefined ? undefined : evaluateCel(rule.messageExpression, variables);
  if (told?.ok === true && typeof told.value === 'string' && told.value !== '') return told.value;
  return rule.message ?? `failed rule: ${rule.rule}`;
}

/** In the place of the value stands its type. */
function toError(reason: string | undefined, path: string, type: string, detail: string): FieldError {
  switch (reason) {
    case 'FieldValueRequired':
      return { tag: 'required', path, detail };
    case 'FieldValueForbidden':
      return { tag: 'forbidden', path, detail };
    case 'FieldValueDuplicate':
      return { tag: 'duplicate', path, value: type };
    default:
      return { tag: 'invalid', path, value: type, detail };
  }
}
