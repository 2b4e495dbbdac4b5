import { requestKind, resourceKind } from '@cro/crd-types';
import type { Served } from '@cro/kube-runtime';

const API = 'rbac.authorization.k8s.io';
const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];

/**
 * Roles for people and for other programs: `view` and those above it may look at both kinds, `edit` and `admin` may write
 * requests. Who writes ComposableResources changes what is attached behind a request's back, so that role is given to nobody.
 */
export function userRoles(prefix: string): readonly { readonly file: string; readonly objects: readonly object[] }[] {
  return [
    viewer(prefix, requestKind),
    editor(prefix, requestKind, ['edit', 'admin']),
    viewer(prefix, resourceKind),
    editor(prefix, resourceKind, []),
  ];
}

function viewer(prefix: string, kind: Served & { readonly kind: string }) {
  const name = `${kind.kind.toLowerCase()}-viewer`;
  return { file: name, objects: [userRole(`${prefix}-${name}-role`, ['view', 'edit', 'admin'], kind, READ)] };
}

function editor(prefix: string, kind: Served & { readonly kind: string }, into: readonly string[]) {
  const name = `${kind.kind.toLowerCase()}-editor`;
  return { file: name, objects: [userRole(`${prefix}-${name}-role`, into, kind, WRITE)] };
}

function userRole(name: string, into: readonly string[], { group, plural }: Served, verbs: readonly string[]): object {
  const labels = Object.fromEntries(into.map((role) => [`${API}/aggregate-to-${role}`, 'true']));
  return {
    apiVersion: `${API}/v1`,
    kind: 'ClusterRole',
    metadata: { name, ...(into.length > 0 && { labels }) },
    rules: [
      { apiGroups: [group], resources: [plural], verbs },
      { apiGroups: [group], resources: [`${plural}/status`], verbs: ['get'] },
    ],
  };
}
