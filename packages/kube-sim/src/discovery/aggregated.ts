import { defined, type JsonObject } from '../base/json.ts';
import type { Registry } from '../resources/registry.ts';
import type { ResourceType } from '../resources/resource-type.ts';
import { subresources, verbsOf } from './resource-lists.ts';

/** The media type of aggregated discovery, for which everything about groups and resources comes in one document. */
export const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** `/api` or `/apis` in the aggregated form (apidiscovery.k8s.io/v2). */
export function aggregatedDiscovery(registry: Registry, groups: readonly string[]): JsonObject {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map((group) => ({
      metadata: group === '' ? {} : { name: group },
      versions: registry.versions(group).map((version) => ({
        version,
        resources: registry.resources(group, version).map(resourceBody),
        freshness: 'Current',
      })),
    })),
  };
}

function resourceBody(type: ResourceType): JsonObject {
  const kindOf = (kind: string) => ({ group: type.group, version: type.version, kind });
  const parts = subresources(type).map(({ name, kind, verbs }) => ({
    subresource: name,
    responseKind: kindOf(kind),
    verbs,
  }));
  return defined({
    resource: type.plural,
    responseKind: kindOf(type.kind),
    scope: type.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: type.singular,
    verbs: verbsOf(type),
    shortNames: type.shortNames.length === 0 ? undefined : type.shortNames,
    categories: type.categories.length === 0 ? undefined : type.categories,
    subresources: parts.length === 0 ? undefined : parts,
  });
}
