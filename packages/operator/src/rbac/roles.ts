import type { Access } from '@cro/kube-runtime';
import { rulesOf } from './rules.ts';

const API = 'rbac.authorization.k8s.io';

/** The ServiceAccount that a role is bound to. */
export interface Account {
  readonly name: string;
  readonly namespace: string;
}

/** A ServiceAccount. Its token comes with the pod. */
export function serviceAccount({ name, namespace }: Account): object {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } };
}

/** A ClusterRole with the accesses that are bound to no namespace, and its binding. */
export function clusterRole(name: string, accesses: readonly Access[], account: Account): readonly object[] {
  const rules = rulesOf(accesses.filter(({ namespace }) => namespace === undefined));
  return [
    { apiVersion: `${API}/v1`, kind: 'ClusterRole', metadata: { name: `${name}-role` }, rules },
    {
      apiVersion: `${API}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: `${name}-rolebinding` },
      ...boundTo('ClusterRole', `${name}-role`, account),
    },
  ];
}

/** A Role with the accesses that are bound to a namespace, and its binding. */
export function role(
  name: string,
  namespace: string,
  accesses: readonly Access[],
  account: Account,
): readonly object[] {
  const rules = rulesOf(accesses.filter((access) => access.namespace === namespace));
  return [
    { apiVersion: `${API}/v1`, kind: 'Role', metadata: { name: `${name}-role`, namespace }, rules },
    {
      apiVersion: `${API}/v1`,
      kind: 'RoleBinding',
      metadata: { name: `${name}-rolebinding`, namespace },
      ...boundTo('Role', `${name}-role`, account),
    },
  ];
}

function boundTo(kind: 'Role' | 'ClusterRole', name: string, account: Account): object {
  return { roleRef: { apiGroup: API, kind, name }, subjects: [{ kind: 'ServiceAccount', ...account }] };
}
