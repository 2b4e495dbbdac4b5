import type { JsonObject, JsonValue } from '../base/json.ts';

/** A CEL rule of `x-kubernetes-validations`. */
export interface SchemaRule {
  readonly rule: string;
  readonly message: string | undefined;
  readonly messageExpression: string | undefined;
  readonly reason: string | undefined;
  readonly fieldPath: string | undefined;
}

/** An OpenAPI v3 schema as CustomResourceDefinitions have it, read once. */
export interface Schema {
  readonly type: string | undefined;
  readonly format: string | undefined;
  readonly nullable: boolean;
  readonly properties: ReadonlyMap<string, Schema>;
  /** The schema of map values; true where anything goes. */
  readonly additionalProperties: Schema | true | undefined;
  readonly items: Schema | undefined;
  readonly required: readonly string[];
  readonly enum: readonly JsonValue[] | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly exclusiveMaximum: boolean;
  readonly multipleOf: number | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly pattern: { readonly text: string; readonly regex: RegExp } | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly minProperties: number | undefined;
  readonly maxProperties: number | undefined;
  readonly default: JsonValue | undefined;
  readonly preserveUnknownFields: boolean;
  readonly embeddedResource: boolean;
  readonly intOrString: boolean;
  readonly listType: string | undefined;
  readonly listMapKeys: readonly string[];
  readonly allOf: readonly Schema[];
  readonly anyOf: readonly Schema[];
  readonly oneOf: readonly Schema[];
  readonly not: Schema | undefined;
  readonly rules: readonly SchemaRule[];
  /** True when this schema, or one below it, has rules. */
  readonly hasRules: boolean;
  /** As it was written. */
  readonly source: JsonObject;
}
