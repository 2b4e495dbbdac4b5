import { Type, type Static } from 'typebox';

const Flag = Type.Optional(Type.Boolean());
const Text = Type.Optional(Type.String());
const Limit = Type.Optional(Type.Number());
const Count = Type.Optional(Type.Integer({ minimum: 0 }));

/** One rule of `x-kubernetes-validations`, in CEL. */
const ValidationRule = Type.Object({
  rule: Type.String({ minLength: 1 }),
  message: Text,
  messageExpression: Text,
  reason: Text,
  fieldPath: Text,
  optionalOldSelf: Flag,
});

/**
 * The keywords that one node of a structural schema may have, without those that hold further nodes. From
 * apiextensions.k8s.io/v1 `JSONSchemaProps`, less what the API server refuses in a CustomResourceDefinition.
 */
export const NodeKeywords = Type.Object({
  type: Type.Optional(
    Type.Union([
      Type.Literal('object'),
      Type.Literal('array'),
      Type.Literal('string'),
      Type.Literal('integer'),
      Type.Literal('number'),
      Type.Literal('boolean'),
    ]),
  ),
  format: Text,
  title: Text,
  description: Text,
  default: Type.Optional(Type.Unknown()),
  example: Type.Optional(Type.Unknown()),
  enum: Type.Optional(Type.Array(Type.Unknown(), { minItems: 1 })),
  nullable: Flag,
  minimum: Limit,
  maximum: Limit,
  exclusiveMinimum: Flag,
  exclusiveMaximum: Flag,
  multipleOf: Limit,
  minLength: Count,
  maxLength: Count,
  pattern: Text,
  minItems: Count,
  maxItems: Count,
  minProperties: Count,
  maxProperties: Count,
  required: Type.Optional(Type.Array(Type.String())),
  'x-kubernetes-embedded-resource': Flag,
  'x-kubernetes-int-or-string': Flag,
  'x-kubernetes-list-map-keys': Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
  'x-kubernetes-list-type': Type.Optional(
    Type.Union([Type.Literal('atomic'), Type.Literal('set'), Type.Literal('map')]),
  ),
  'x-kubernetes-map-type': Type.Optional(Type.Union([Type.Literal('granular'), Type.Literal('atomic')])),
  'x-kubernetes-preserve-unknown-fields': Type.Optional(Type.Literal(true)),
  'x-kubernetes-validations': Type.Optional(Type.Array(ValidationRule, { minItems: 1 })),
});
/** The keywords of one node, typed. */
export type NodeKeywords = Static<typeof NodeKeywords>;

/** A structural schema: OpenAPI v3 as a CustomResourceDefinition holds it. */
export interface JsonSchemaProps extends Readonly<NodeKeywords> {
  readonly properties?: Readonly<Record<string, JsonSchemaProps>>;
  readonly additionalProperties?: JsonSchemaProps;
  readonly items?: JsonSchemaProps;
}
