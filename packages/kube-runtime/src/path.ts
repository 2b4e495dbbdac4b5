import type { Kind, KubeObject, ObjectRef } from './kind.ts';
import { apiVersionOf } from './kind.ts';

/** The part of a kind that says where it is served. */
export type Served = Pick<Kind<KubeObject>, 'group' | 'version' | 'plural' | 'namespaced'>;

/**
 * Says what is wrong with a name, if anything. The same rule as the server's for path segments: such a name would
 * lead to another path.
 */
export function nameProblem(kind: Served, ref: ObjectRef): string | undefined {
  if (kind.namespaced && ref.namespace === undefined) return `namespace is missing; ${kind.plural} are namespaced`;
  for (const [field, value] of [['name', ref.name] as const, ['namespace', ref.namespace] as const]) {
    if (value === undefined) continue;
    if (value === '' || value === '.' || value === '..' || /[/%]/.test(value)) {
      return `${field} is ${JSON.stringify(value)}; accepted is any text but "", "." and "..", without "/" or "%"`;
    }
  }
  return undefined;
}

/** The path of a collection. Without `namespace`: all namespaces. */
export function collectionPath(kind: Served, namespace?: string): string {
  const root = kind.group === '' ? '/api' : '/apis';
  const scope = kind.namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}/${apiVersionOf(kind)}${scope}/${kind.plural}`;
}

/** The path of one object, or of a subresource of it. */
export function objectPath(kind: Served, ref: ObjectRef, subresource?: string): string {
  const path = `${collectionPath(kind, ref.namespace)}/${encodeURIComponent(ref.name)}`;
  return subresource === undefined ? path : `${path}/${subresource}`;
}

/** A query string with its question mark; empty when no value is given. */
export function query(values: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const parts = Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}
