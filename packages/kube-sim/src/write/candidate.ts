import type { FieldError } from '../base/field-error.ts';
import { badRequest, invalid } from '../base/failures.ts';
import { isObject, type JsonObject, stringAt } from '../base/json.ts';
import { type Result, success } from '../base/result.ts';
import type { Call } from '../api/call.ts';
import { applyDefaults } from '../schema/defaults.ts';
import { dropNulls } from '../schema/nulls.ts';
import type { Schema } from '../schema/schema.ts';
import { validate } from '../schema/validate.ts';
import { checkRules } from '../schema/rules.ts';
import { apiVersionOf, type ResourceType } from '../resources/resource-type.ts';
import { checkMetadata } from './check-meta.ts';
import { type Pruned, pruneStrictly } from './strict.ts';
import { undecodableMetadata } from './undecodable-meta.ts';

/** What every object goes through as it comes in: types of metadata, unknown fields, pruning, defaults. */
export function admitFields(call: Call, type: ResourceType, object: JsonObject, isPatch: boolean): Result<Pruned> {
  const wrong = undecodableMetadata(type, object) ?? type.undecodable(object);
  if (wrong !== undefined) {
    return badRequest(`${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: ${wrong}`);
  }
  const pruned = pruneStrictly(call, type, object, isPatch);
  if (!pruned.ok) return pruned;
  return success({ object: withDefaults(type, pruned.value.object), warnings: pruned.value.warnings });
}

/** The object with its schema's defaults. */
export function withDefaults(type: ResourceType, object: JsonObject): JsonObject {
  if (type.schema === undefined) return object;
  const filled = applyDefaults(dropNulls(object, type.schema), type.schema);
  return isObject(filled) ? filled : object;
}

/** Checks an object before it is stored; `previous` is what it replaces. */
export function checkObject(
  type: ResourceType,
  object: JsonObject,
  previous: JsonObject | undefined,
  subresource?: string,
): Result<JsonObject> {
  const { schema } = type;
  const name = stringAt(object, 'metadata', 'name') ?? '';
  const foreign = type.custom ? foreignKind(type, object) : [];
  if (foreign.length > 0) {
    const group = (stringAt(object, 'apiVersion') ?? '').replace(/\/[^/]*$/u, '');
    return invalid({ group, kind: stringAt(object, 'kind') ?? '' }, name, foreign);
  }
  const old = type.custom ? previous : undefined;
  const shape = [
    ...checkMetadata(object, previous),
    ...(schema === undefined ? [] : validate(object, schema, '', old)),
    ...type.check(object, previous),
  ];
  const all = schema?.hasRules === true ? [...shape, ...ruleErrors(object, old, schema, shape)] : shape;
  const errors = subresource === 'status' ? all.map(fromStatus) : all;
  if (errors.length === 0) return success(object);
  return invalid(type, name, errors);
}

/** A custom object may come with any kind, and is then told which one it should have. */
function foreignKind(type: ResourceType, object: JsonObject): readonly FieldError[] {
  const wanted = [
    ['kind', type.kind],
    ['apiVersion', apiVersionOf(type)],
  ] as const;
  return wanted.flatMap(([path, expected]): readonly FieldError[] => {
    const value = stringAt(object, path) ?? '';
    return value === expected ? [] : [{ tag: 'invalid', path, value, detail: `must be ${expected}` }];
  });
}

/** A write of the status is checked by the status' own schema, and texts name what is wrong from there. */
function fromStatus(error: FieldError): FieldError {
  if (error.tag !== 'invalid' && error.tag !== 'type') return error;
  return { ...error, detail: error.detail.replace(/^status\.?(?=[^ ]* in body )/u, '') };
}

/** Errors after which rules could read what is not there. */
const BLOCKING: ReadonlySet<FieldError['tag']> = new Set(['unsupported', 'required', 'too-long', 'too-many', 'type']);

const NOT_ASKED: FieldError = {
  tag: 'raw',
  path: '<nil>',
  detail:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
};

function ruleErrors(
  object: JsonObject,
  previous: JsonObject | undefined,
  schema: Schema,
  shape: readonly FieldError[],
): readonly FieldError[] {
  return shape.some(({ tag }) => BLOCKING.has(tag)) ? [NOT_ASKED] : checkRules(object, previous, schema);
}
