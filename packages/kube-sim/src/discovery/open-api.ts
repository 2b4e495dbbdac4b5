import { createHash } from 'node:crypto';
import { type JsonObject, type JsonValue, objectAt } from '../base/json.ts';
import { OBJECT_META } from '../resources/open-api-schema.ts';
import type { Registry } from '../resources/registry.ts';
import type { ResourceType } from '../resources/resource-type.ts';
import { metaSchemas, objectMetaSchema } from './object-meta-schema.ts';
import { pathsOf } from './open-api-paths.ts';

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** `/openapi/v3`: where each group's document is. The hash in its address lets clients keep it. */
export function openApiIndex(registry: Registry): JsonObject {
  const paths: Record<string, JsonValue> = {};
  for (const group of registry.groups()) {
    for (const version of registry.versions(group)) {
      const path = group === '' ? `api/${version}` : `apis/${group}/${version}`;
      const text = JSON.stringify(openApiDocument(registry, group, version));
      const hash = createHash('sha256').update(text).digest('hex').toUpperCase();
      paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` };
    }
  }
  return { paths };
}

/** `/openapi/v3/apis/<group>/<version>`: schemas and operations; undefined for a version that is not served. */
export function openApiDocument(registry: Registry, group: string, version: string): JsonObject | undefined {
  const types = registry.resources(group, version);
  if (types.length === 0) return undefined;
  const schemas = Object.fromEntries(types.map((type) => [schemaName(type), type.openApi]));
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.34.0' },
    paths: Object.fromEntries(types.flatMap((type) => pathsOf(type, schemaName(type)))),
    components: { schemas: { ...schemas, ...metaSchemas } },
  };
}

/** `/openapi/v2`: the schemas alone, for clients that know no v3. */
export function openApiV2(registry: Registry): JsonObject {
  const schemas = registry.all.map((type) => [schemaName(type), swagger(type.openApi)] as const);
  return {
    swagger: '2.0',
    info: { title: 'Kubernetes', version: 'v1.34.0' },
    paths: {},
    definitions: { ...Object.fromEntries(schemas), [OBJECT_META]: objectMetaSchema },
  };
}

function swagger(schema: JsonObject): JsonObject {
  const metadata = { $ref: `#/definitions/${OBJECT_META}` };
  return { ...schema, properties: { ...objectAt(schema, 'properties'), metadata } };
}

function schemaName(type: ResourceType & GroupVersion): string {
  const group = type.group === '' ? 'io.k8s.api.core' : type.group.split('.').reverse().join('.');
  return `${group}.${type.version}.${type.kind}`;
}
