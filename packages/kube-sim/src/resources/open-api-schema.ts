import type { JsonObject } from '../base/json.ts';
import { objectAt } from '../base/json.ts';

/** The name of the schema of ObjectMeta in every OpenAPI document. */
export const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

const CONVENTIONS = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';

const API_VERSION: JsonObject = {
  type: 'string',
  description:
    'APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized ' +
    `schemas to the latest internal value, and may reject unrecognized values. More info: ${CONVENTIONS}#resources`,
};
const KIND: JsonObject = {
  type: 'string',
  description:
    'Kind is a string value representing the REST resource this object represents. Servers may infer this from the ' +
    `endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: ${CONVENTIONS}#types-kinds`,
};
const METADATA: JsonObject = {
  description: `Standard object's metadata. More info: ${CONVENTIONS}#metadata`,
  allOf: [{ $ref: `#/components/schemas/${OBJECT_META}` }],
};

/** A custom resource's schema as OpenAPI shows it: with apiVersion, kind and metadata, and the kind that it is of. */
export function customOpenApi(
  source: JsonObject,
  gvk: { readonly group: string; readonly version: string; readonly kind: string },
): JsonObject {
  return {
    ...source,
    type: 'object',
    properties: { ...objectAt(source, 'properties'), apiVersion: API_VERSION, kind: KIND, metadata: METADATA },
    'x-kubernetes-group-version-kind': [{ group: gvk.group, version: gvk.version, kind: gvk.kind }],
  };
}
