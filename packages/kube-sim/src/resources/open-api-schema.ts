import type { JsonObject } from '../base/json.ts';
import { objectAt } from '../base/json.ts';

/** The name of the schema of ObjectMeta in every OpenAPI document. */
export const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

const API_VERSION: JsonObject = {
  type: 'string',
  description: 'APIVersion defines the versioned schema of this representation of an object.',
};
const KIND: JsonObject = {
  type: 'string',
  description: 'Kind is a string value representing the REST resource this object represents.',
};
const METADATA: JsonObject = {
  description: "Standard object's metadata.",
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
