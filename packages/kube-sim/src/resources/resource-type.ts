import type { FieldError } from '../base/field-error.ts';
import type { JsonObject, JsonValue } from '../base/json.ts';
import type { Schema } from '../schema/schema.ts';

/** One column of `kubectl get`. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  /** 0 is always shown, more only with `-o wide`. */
  readonly priority: number;
  /** The cell of an object; `now` is in milliseconds since 1970. */
  cell(object: JsonObject, now: number): JsonValue;
}

/** What the server knows of one resource in one version. */
export interface ResourceType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** True when `/status` is an endpoint of its own, and the main one leaves `.status` alone. */
  readonly statusSubresource: boolean;
  /** True when clients can set the status of a new object, which only controllers can elsewhere. */
  readonly keepsNewStatus: boolean;
  /** True when the server counts changes of the spec in metadata.generation. */
  readonly countsGenerations: boolean;
  /** True for resources that a CustomResourceDefinition declares. */
  readonly custom: boolean;
  /** True when an update may leave out the version that it was made from. */
  readonly allowsUnconditionalUpdate: boolean;
  /** What objects are checked, pruned and defaulted by; undefined where anything goes. */
  readonly schema: Schema | undefined;
  /** What OpenAPI and `kubectl explain` show. */
  readonly openApi: JsonObject;
  readonly columns: readonly Column[];
  /** Field selector labels beside metadata.name and metadata.namespace, with the value of an object. */
  readonly fieldLabels: ReadonlyMap<string, (object: JsonObject) => string>;
  /** Fills in what the server itself sets on a new object. */
  prepare(object: JsonObject): JsonObject;
  /** What Go's decoder would say of an object whose fields have the wrong form; undefined when they are right. */
  undecodable(object: JsonObject): string | undefined;
  /** Checks beyond the schema. */
  check(object: JsonObject, previous: JsonObject | undefined): readonly FieldError[];
}

/** `group/version`, or the version alone in the core group. */
export function apiVersionOf(type: { readonly group: string; readonly version: string }): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`;
}
