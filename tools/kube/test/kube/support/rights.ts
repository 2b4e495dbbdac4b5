import type { Plane } from './plane.ts';

const ROLE = '/apis/rbac.authorization.k8s.io/v1/clusterroles/composable-resource-operator-manager-role';

interface Role {
  readonly rules: readonly { readonly resources?: readonly string[] }[];
}

/** Takes the rule about a resource out of the operator's role. The result gives it back. */
export async function forbid({ send }: Pick<Plane, 'send'>, resource: string): Promise<() => Promise<void>> {
  const { json } = await send('GET', ROLE);
  const { rules } = json as unknown as Role;
  const write = async (value: Role['rules']) => {
    const text = JSON.stringify({ rules: value });
    const answer = await send('PATCH', ROLE, { type: 'application/merge-patch+json', text });
    if (answer.status !== 200) throw new Error(`${ROLE}: ${answer.status} ${answer.text}`);
  };
  await write(rules.filter(({ resources }) => resources?.includes(resource) !== true));
  return () => write(rules);
}
