import {
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  stringAt,
  stringsAt,
  valueAt,
} from '../base/json.ts';
import { readSchema } from '../schema/read-schema.ts';
import { crdColumns } from './crd-columns.ts';
import { compileJsonPath } from './json-path.ts';
import type { ResourceType } from './resource-type.ts';
import { customOpenApi } from './open-api-schema.ts';
import { compareVersions } from './version-order.ts';

/** Where a CustomResourceDefinition's objects are. */
export interface CrdPlace {
  readonly group: string;
  readonly plural: string;
}

/** The group and plural that a CustomResourceDefinition declares. */
export function crdPlace(crd: JsonObject): CrdPlace {
  return { group: stringAt(crd, 'spec', 'group') ?? '', plural: stringAt(crd, 'spec', 'names', 'plural') ?? '' };
}

/** The resource of each served version of a CustomResourceDefinition, the preferred version first. */
export function crdTypes(crd: JsonObject): readonly ResourceType[] {
  return listAt(crd, 'spec', 'versions')
    .filter(isObject)
    .filter((version) => version['served'] === true)
    .map((version) => crdType(crd, version))
    .sort((left, right) => compareVersions(left.version, right.version));
}

function crdType(crd: JsonObject, version: JsonObject): ResourceType {
  const names = objectAt(crd, 'spec', 'names');
  const kind = stringAt(names, 'kind') ?? '';
  const source = objectAt(version, 'schema', 'openAPIV3Schema');
  const place = crdPlace(crd);
  const name = stringAt(version, 'name') ?? '';
  return {
    ...place,
    version: name,
    kind,
    listKind: stringAt(names, 'listKind') ?? `${kind}List`,
    singular: stringAt(names, 'singular') ?? kind.toLowerCase(),
    shortNames: stringsAt(names, 'shortNames'),
    categories: stringsAt(names, 'categories'),
    namespaced: stringAt(crd, 'spec', 'scope') === 'Namespaced',
    statusSubresource: isObject(valueAt(version, 'subresources', 'status')),
    keepsNewStatus: false,
    allowsUnconditionalUpdate: false,
    countsGenerations: true,
    custom: true,
    schema: readSchema(source),
    openApi: customOpenApi(source, { group: place.group, version: name, kind }),
    columns: crdColumns(version),
    fieldLabels: new Map(listAt(version, 'selectableFields').map(selectableField)),
    prepare: (object) => object,
    undecodable: () => undefined,
    check: () => [],
  };
}

function selectableField(field: JsonValue): readonly [string, (object: JsonObject) => string] {
  const path = stringAt(field, 'jsonPath') ?? '';
  const find = compileJsonPath(path);
  return [path.replace(/^\./u, ''), (object) => String(find(object)[0] ?? '')];
}
