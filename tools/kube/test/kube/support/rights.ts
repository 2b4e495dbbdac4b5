import type { Plane } from './plane.ts';

const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';

/** Lets a user do everything. */
export async function letDoAll({ send }: Pick<Plane, 'send'>, user: string): Promise<void> {
  const apiGroup = 'rbac.authorization.k8s.io';
  const binding = {
    apiVersion: `${apiGroup}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: user },
    roleRef: { apiGroup, kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup, kind: 'User', name: user }],
  };
  const answer = await send('POST', BINDINGS, { type: 'application/json', text: JSON.stringify(binding) });
  if (answer.status !== 201) throw new Error(`${BINDINGS}: ${answer.status} ${answer.text}`);
}
