import type { FieldError } from '../base/field-error.ts';
import { isObject, type JsonObject, type JsonValue, listAt, objectAt, stringAt } from '../base/json.ts';

/** Checks a CustomResourceDefinition: its name, names and scope, its versions, and that each schema is structural. */
export function checkCrd(crd: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const group = stringAt(crd, 'spec', 'group') ?? '';
  const plural = stringAt(crd, 'spec', 'names', 'plural') ?? '';
  const name = stringAt(crd, 'metadata', 'name') ?? '';
  const required = (path: string, value: string | undefined) => {
    if (value === undefined || value === '') errors.push({ tag: 'required', path, detail: '' });
  };
  required('spec.group', group);
  required('spec.names.plural', plural);
  required('spec.names.kind', stringAt(crd, 'spec', 'names', 'kind'));
  if (name !== `${plural}.${group}`) {
    errors.push({
      tag: 'invalid',
      path: 'metadata.name',
      value: name,
      detail: 'must be spec.names.plural+"."+spec.group',
    });
  }
  const scope = stringAt(crd, 'spec', 'scope') ?? '';
  if (scope !== 'Namespaced' && scope !== 'Cluster') {
    errors.push({ tag: 'unsupported', path: 'spec.scope', value: scope, supported: ['Cluster', 'Namespaced'] });
  }
  const versions = listAt(crd, 'spec', 'versions').filter(isObject);
  if (versions.filter((version) => version['storage'] === true).length !== 1) {
    const detail = 'must have exactly one version marked as storage version';
    errors.push({ tag: 'invalid', path: 'spec.versions', value: versions, detail });
  }
  return [...errors, ...versions.flatMap((version, index) => checkVersion(version, `spec.versions[${String(index)}]`))];
}

function checkVersion(version: JsonObject, path: string): readonly FieldError[] {
  const at = `${path}.schema.openAPIV3Schema`;
  const schema = objectAt(version, 'schema')['openAPIV3Schema'];
  if (!isObject(schema)) return [{ tag: 'required', path: at, detail: 'schemas are required' }];
  return structural(schema, at);
}

/** Fields that a structural schema does not have (apiextensions-apiserver/pkg/apiserver/schema). */
const FORBIDDEN = ['$ref', 'definitions', 'dependencies', 'patternProperties', 'uniqueItems', 'additionalItems'];

function structural(schema: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = FORBIDDEN.filter((key) => schema[key] !== undefined && schema[key] !== false).map(
    (key) => ({
      tag: 'forbidden',
      path: `${path}.${key}`,
      detail: `${key} is not supported`,
    }),
  );
  const free = schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (stringAt(schema, 'type') === undefined && !free) {
    errors.push({ tag: 'required', path: `${path}.type`, detail: 'must not be empty for specified object fields' });
  }
  if (isObject(schema['properties']) && schema['additionalProperties'] !== undefined) {
    errors.push({
      tag: 'forbidden',
      path: `${path}.additionalProperties`,
      detail: 'additionalProperties and properties are mutual exclusive',
    });
  }
  if (schema['type'] === 'array' && !isObject(schema['items'])) {
    errors.push({ tag: 'required', path: `${path}.items`, detail: 'must be specified' });
  }
  const children: (readonly [string, JsonValue | undefined])[] = [
    ...Object.entries(objectAt(schema, 'properties')).map(([key, value]) => [`properties[${key}]`, value] as const),
    ['items', schema['items']],
    ['additionalProperties', schema['additionalProperties']],
  ];
  return [
    ...errors,
    ...children.flatMap(([key, child]) => (isObject(child) ? structural(child, `${path}.${key}`) : [])),
  ];
}
