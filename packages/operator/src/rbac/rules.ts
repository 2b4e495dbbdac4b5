import type { Access, Verb } from '@cro/kube-runtime';

/** A rule of a role (rbac.authorization.k8s.io/v1 `PolicyRule`). */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** As people write them: reading first. */
const ORDER: readonly Verb[] = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

/** The fewest rules that allow what is asked and nothing else: one for each group, resource and choice of names. */
export function rulesOf(accesses: readonly Access[]): readonly PolicyRule[] {
  const asked = new Map<string, { readonly access: Access; readonly verbs: Set<Verb> }>();
  for (const access of accesses) {
    const names = access.names === undefined ? undefined : [...access.names].sort();
    const key = JSON.stringify([access.group, access.resource, names]);
    const entry = asked.get(key) ?? { access, verbs: new Set<Verb>() };
    for (const verb of access.verbs) entry.verbs.add(verb);
    asked.set(key, entry);
  }
  return [...asked]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, { access, verbs }]) => ({
      apiGroups: [access.group],
      resources: [access.resource],
      ...(access.names !== undefined && { resourceNames: [...access.names].sort() }),
      verbs: ORDER.filter((verb) => verbs.has(verb)),
    }));
}
