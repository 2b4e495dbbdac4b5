import type { FieldError } from '../base/field-error.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { evaluateCel } from '../admission/cel.ts';
import type { Schema, SchemaRule } from './schema.ts';

/** Asks the CEL rules of `x-kubernetes-validations`. Rules that name `oldSelf` are asked only where there is an old value. */
export function checkRules(
  value: JsonValue,
  previous: JsonValue | undefined,
  schema: Schema,
  path = '',
): readonly FieldError[] {
  if (value === null) return [];
  const own = schema.rules.flatMap((rule) => checkRule(value, previous, rule, path));
  if (isList(value)) {
    const items = schema.items;
    // Items have no old value: the real server matches them by key for list maps only.
    return items === undefined
      ? own
      : [
          ...own,
          ...value.flatMap((item, index) => [...checkRules(item, undefined, items, `${path}[${String(index)}]`)]),
        ];
  }
  return isObject(value)
    ? [...own, ...checkFields(value, isObject(previous) ? previous : undefined, schema, path)]
    : own;
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
  if (/\boldSelf\b/u.test(rule.rule) && previous === undefined) return [];
  const result = evaluateCel(rule.rule, { self: value, oldSelf: previous ?? null });
  if (result.ok && result.value === true) return [];
  const detail = result.ok ? (rule.message ?? `failed rule: ${rule.rule}`) : `rule evaluation error: ${result.message}`;
  const at = `${path}${rule.fieldPath ?? ''}`;
  const shown = isObject(value) ? 'object' : isList(value) ? 'array' : value;
  return [{ tag: 'invalid', path: at === '' ? '<nil>' : at, value: shown, detail }];
}
