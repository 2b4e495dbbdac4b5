import {
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  numberAt,
  objectAt,
  stringAt,
  stringsAt,
} from '../base/json.ts';
import type { Schema, SchemaRule } from './schema.ts';

/** Reads a schema. Throws a SyntaxError when a `pattern` is no regular expression. */
export function readSchema(source: JsonObject): Schema {
  const shape = readShape(source);
  const kubernetes = readKubernetes(source);
  const { additionalProperties, items, properties } = shape;
  const below = [...properties.values(), items, additionalProperties].some(
    (schema) => schema !== undefined && schema !== true && schema.hasRules,
  );
  const hasRules = kubernetes.rules.length > 0 || below;
  return { ...shape, ...readBounds(source), ...kubernetes, ...readCombinations(source), hasRules, source };
}

function readShape(source: JsonObject) {
  const additional = source['additionalProperties'];
  const properties = Object.entries(objectAt(source, 'properties'));
  return {
    type: stringAt(source, 'type'),
    format: stringAt(source, 'format'),
    nullable: source['nullable'] === true,
    properties: new Map(properties.map(([name, child]) => [name, readSchema(isObject(child) ? child : {})])),
    additionalProperties: isObject(additional) ? readSchema(additional) : additional === true ? true : undefined,
    items: child(source, 'items'),
    required: stringsAt(source, 'required'),
    enum: 'enum' in source ? listAt(source, 'enum') : undefined,
    default: source['default'],
  } as const;
}

function readBounds(source: JsonObject) {
  const pattern = stringAt(source, 'pattern');
  return {
    minimum: numberAt(source, 'minimum'),
    maximum: numberAt(source, 'maximum'),
    exclusiveMinimum: source['exclusiveMinimum'] === true,
    exclusiveMaximum: source['exclusiveMaximum'] === true,
    multipleOf: numberAt(source, 'multipleOf'),
    minLength: numberAt(source, 'minLength'),
    maxLength: numberAt(source, 'maxLength'),
    pattern: pattern === undefined ? undefined : { text: pattern, regex: compile(pattern) },
    minItems: numberAt(source, 'minItems'),
    maxItems: numberAt(source, 'maxItems'),
    minProperties: numberAt(source, 'minProperties'),
    maxProperties: numberAt(source, 'maxProperties'),
  };
}

/** Go's RE2 allows escapes, such as `\\-`, that the strict form of a JavaScript expression refuses. */
function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return new RegExp(pattern);
  }
}

function readKubernetes(source: JsonObject) {
  return {
    preserveUnknownFields: source['x-kubernetes-preserve-unknown-fields'] === true,
    embeddedResource: source['x-kubernetes-embedded-resource'] === true,
    intOrString: source['x-kubernetes-int-or-string'] === true,
    listType: stringAt(source, 'x-kubernetes-list-type'),
    listMapKeys: stringsAt(source, 'x-kubernetes-list-map-keys'),
    rules: listAt(source, 'x-kubernetes-validations').map(readRule),
  };
}

function readCombinations(source: JsonObject) {
  return {
    allOf: children(source, 'allOf'),
    anyOf: children(source, 'anyOf'),
    oneOf: children(source, 'oneOf'),
    not: child(source, 'not'),
  };
}

function readRule(source: JsonValue): SchemaRule {
  return {
    rule: stringAt(source, 'rule') ?? 'true',
    message: stringAt(source, 'message'),
    messageExpression: stringAt(source, 'messageExpression'),
    reason: stringAt(source, 'reason'),
    fieldPath: stringAt(source, 'fieldPath'),
  };
}

function child(source: JsonObject, key: string): Schema | undefined {
  const found = source[key];
  return isObject(found) ? readSchema(found) : undefined;
}

function children(source: JsonObject, key: string): readonly Schema[] {
  return listAt(source, key).map((item) => readSchema(isObject(item) ? item : {}));
}
