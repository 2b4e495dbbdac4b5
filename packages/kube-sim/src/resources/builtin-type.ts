import type { FieldError } from '../base/field-error.ts';
import { isObject, type JsonObject, type JsonValue, stringAt } from '../base/json.ts';
import { AGE_COLUMN, NAME_COLUMN } from './columns.ts';
import { readSchema } from '../schema/read-schema.ts';
import { customOpenApi } from './open-api-schema.ts';
import type { Column, ResourceType } from './resource-type.ts';

/** What differs between the kinds that every cluster has. */
export interface BuiltinKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly status?: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Between the name and the age. */
  readonly columns?: readonly Column[];
  /** The labels that a field selector may name, as dotted paths. */
  readonly fields?: readonly string[];
  readonly moreFields?: ReadonlyMap<string, (object: JsonObject) => string>;
  /** What objects are checked by. Without it, any content is kept as it is. */
  readonly schema?: JsonObject;
  readonly undecodable?: (object: JsonObject) => string | undefined;
  readonly prepare?: (object: JsonObject) => JsonObject;
  readonly check?: (object: JsonObject, previous: JsonObject | undefined) => readonly FieldError[];
}

const ANYTHING: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** Kinds whose updates must name the version that they were made from (`AllowUnconditionalUpdate` of their strategies). */
const GUARDED: ReadonlySet<string> = new Set(['Lease', 'ValidatingWebhookConfiguration', 'CustomResourceDefinition']);

/** A resource of the server itself. */
export function builtinType(builtin: BuiltinKind): ResourceType {
  const { group, version, kind, plural, namespaced } = builtin;
  const parts = { spec: ANYTHING, ...(builtin.status === true ? { status: ANYTHING } : {}) };
  const source = builtin.schema ?? { type: 'object', properties: parts };
  return {
    group,
    version,
    kind,
    listKind: `${kind}List`,
    plural,
    singular: kind.toLowerCase(),
    shortNames: builtin.shortNames ?? [],
    categories: builtin.categories ?? [],
    namespaced,
    statusSubresource: builtin.status ?? false,
    countsGenerations: group !== '' && kind !== 'Lease',
    custom: false,
    keepsNewStatus: kind === 'Node',
    allowsUnconditionalUpdate: !GUARDED.has(kind),
    schema: builtin.schema === undefined ? undefined : readSchema(builtin.schema),
    openApi: customOpenApi(source, { group, version, kind }),
    columns: [NAME_COLUMN, ...(builtin.columns ?? []), AGE_COLUMN],
    fieldLabels: new Map([...pathLabels(builtin.fields ?? []), ...(builtin.moreFields ?? [])]),
    prepare: builtin.prepare ?? ((object) => object),
    undecodable: builtin.undecodable ?? (() => undefined),
    check: builtin.check ?? (() => []),
  };
}

function pathLabels(paths: readonly string[]): readonly (readonly [string, (object: JsonObject) => string])[] {
  return paths.map((path) => [path, (object) => scalarText(find(object, path.split('.')))] as const);
}

function find(object: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const key of path) value = isObject(value) ? value[key] : undefined;
  return value;
}

function scalarText(value: JsonValue | undefined): string {
  return value === undefined || value === null ? '' : String(value);
}

/** The name of an object, for checks and columns. */
export function nameOf(object: JsonObject): string {
  return stringAt(object, 'metadata', 'name') ?? '';
}
