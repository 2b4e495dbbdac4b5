import type { JsonObject } from '../base/json.ts';
import { apiVersionOf, type ResourceType } from '../resources/resource-type.ts';

const QUERY = ['dryRun', 'fieldManager', 'fieldValidation'];
const PATCH_QUERY = [...QUERY, 'force'];

/**
 * The paths of a resource with the parameters of its writes: kubectl reads from them whether the server checks
 * fields (`fieldValidation`) and knows `dryRun`.
 */
export function pathsOf(type: ResourceType, schema: string): readonly (readonly [string, JsonObject])[] {
  const root = type.group === '' ? '/api' : '/apis';
  const space = type.namespaced ? '/namespaces/{namespace}' : '';
  const base = `${root}/${apiVersionOf(type)}${space}/${type.plural}`;
  const operation = (action: string, query: readonly string[] = []) => operationOf(type, schema, action, query);
  const patched = { ...operation('patch', PATCH_QUERY), requestBody: patchBody(type) };
  const object = {
    get: operation('get'),
    put: operation('put', QUERY),
    patch: patched,
    delete: operation('delete', ['dryRun']),
  };
  const collection = { get: operation('list'), post: operation('post', QUERY) };
  const status = type.statusSubresource
    ? [[`${base}/{name}/status`, { patch: patched, put: operation('put', QUERY) }] as const]
    : [];
  return [[base, collection], [`${base}/{name}`, object], ...status];
}

function operationOf(type: ResourceType, schema: string, action: string, query: readonly string[]): JsonObject {
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } };
  return {
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': { group: type.group, version: type.version, kind: type.kind },
    parameters: query.map((name) => ({
      name,
      in: 'query',
      schema: { type: name === 'force' ? 'boolean' : 'string', uniqueItems: true },
    })),
    responses: { '200': { description: 'OK', content } },
  };
}

function patchBody(type: ResourceType): JsonObject {
  const types = ['application/json-patch+json', 'application/merge-patch+json'];
  const served = type.custom ? types : [...types, 'application/strategic-merge-patch+json'];
  return { content: Object.fromEntries(served.map((name) => [name, { schema: { type: 'object' } }])) };
}
