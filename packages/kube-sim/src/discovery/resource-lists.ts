import { createHash } from 'node:crypto';
import { defined, type JsonObject } from '../base/json.ts';
import type { Registry } from '../resources/registry.ts';
import { isNamespaces } from '../resources/builtin.ts';
import { apiVersionOf, type ResourceType } from '../resources/resource-type.ts';

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
/** The server names the verbs of custom resources in another order. */
const CUSTOM_VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const PART_VERBS = ['get', 'patch', 'update'];

/** `/api`: the versions of the core group. */
export function apiVersions(registry: Registry): JsonObject {
  return { kind: 'APIVersions', versions: registry.versions(''), serverAddressByClientCIDRs: [] };
}

/** `/apis`: the named groups. */
export function apiGroupList(registry: Registry): JsonObject {
  const groups = registry.groups().filter((group) => group !== '');
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map((group) => groupBody(registry, group)) };
}

/** `/apis/<group>`; undefined for a group that is not served. */
export function apiGroup(registry: Registry, group: string): JsonObject | undefined {
  if (group === '' || registry.versions(group).length === 0) return undefined;
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupBody(registry, group) };
}

/** `/api/v1` and `/apis/<group>/<version>`; undefined for a version that is not served. */
export function apiResourceList(registry: Registry, group: string, version: string): JsonObject | undefined {
  const types = registry.resources(group, version);
  if (types.length === 0) return undefined;
  const groupVersion = apiVersionOf({ group, version });
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: types.flatMap(resourceBodies) };
}

function groupBody(registry: Registry, group: string): JsonObject {
  const versions = registry.versions(group).map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions, preferredVersion: versions[0] ?? { groupVersion: '', version: '' } };
}

function resourceBodies(type: ResourceType): readonly JsonObject[] {
  const main = defined({
    name: type.plural,
    singularName: type.singular,
    namespaced: type.namespaced,
    kind: type.kind,
    verbs: verbsOf(type),
    shortNames: type.shortNames.length === 0 ? undefined : type.shortNames,
    categories: type.categories.length === 0 ? undefined : type.categories,
    storageVersionHash: storageVersionHash(type),
  });
  const parts = subresources(type).map(({ name, kind, verbs }) => ({
    name: `${type.plural}/${name}`,
    singularName: '',
    namespaced: type.namespaced,
    kind,
    verbs,
  }));
  return [main, ...parts];
}

/** Tells clients when objects begin to be stored in another form (k8s.io/apiserver/pkg/endpoints/discovery). */
function storageVersionHash({ group, version, kind }: ResourceType): string {
  const hash = createHash('sha256').update(`${group}/${version}/${kind}`).digest();
  return hash.subarray(0, 8).toString('base64');
}

/** The endpoints below an object. */
export function subresources(
  type: ResourceType,
): readonly { readonly name: string; readonly kind: string; readonly verbs: readonly string[] }[] {
  const status = type.statusSubresource ? [{ name: 'status', kind: type.kind, verbs: PART_VERBS }] : [];
  const isPod = type.group === '' && type.plural === 'pods';
  return [...status, ...(isPod ? [{ name: 'exec', kind: 'PodExecOptions', verbs: ['create', 'get'] }] : [])];
}

/** What can be done with a resource. */
export function verbsOf(type: ResourceType): readonly string[] {
  if (type.custom) return CUSTOM_VERBS;
  return isNamespaces(type) ? VERBS.filter((verb) => verb !== 'deletecollection') : VERBS;
}
