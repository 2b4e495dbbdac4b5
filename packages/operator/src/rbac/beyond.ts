import type { Access } from '@cro/kube-runtime';

/** The accesses of `all` that no single one of `granted` allows already. */
export function beyond(granted: readonly Access[], all: readonly Access[]): readonly Access[] {
  return all.filter((access) => !granted.some((one) => allows(one, access)));
}

function allows(one: Access, other: Access): boolean {
  return (
    one.group === other.group &&
    one.resource === other.resource &&
    (one.namespace ?? other.namespace) === other.namespace &&
    (one.names === undefined || (other.names?.every((name) => one.names?.includes(name)) ?? false)) &&
    other.verbs.every((verb) => one.verbs.includes(verb))
  );
}
