import type { Served } from '../path.ts';

/** A verb of the API, as the API server's authorizers name it. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';

/**
 * Something that a program asks of the API server, and so the permission that it needs. It stands beside the code that asks:
 * roles, the check of what is granted, and the tests of both are made from it.
 */
export interface Access {
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The lower-case plural, with its subresource as RBAC writes it: `widgets`, `widgets/status`. */
  readonly resource: string;
  readonly verbs: readonly Verb[];
  /** Absent: a cluster-scoped kind, or a namespaced one in all namespaces. */
  readonly namespace?: string;
  /** Only objects of these names. A create cannot be limited so: the API server does not know the name when it asks. */
  readonly names?: readonly string[];
  /** What does not work without it, for a person: `no request is placed`. */
  readonly without: string;
  /** `required`: without it the program is not ready. `optional`: all else goes on. */
  readonly need: 'required' | 'optional';
  /** Why it may never be used in the life of a cluster, for those who look for permissions that nobody needs. */
  readonly rarely?: string;
}

/** Which objects, and what they are needed for. */
export type AccessTerms = Omit<Access, 'group' | 'resource' | 'verbs'> & {
  readonly subresource?: 'status' | 'finalizers' | 'exec';
};

/** Access to objects of a kind. Throws on a create that is limited to names: no role can say that. */
export function accessTo(kind: Pick<Served, 'group' | 'plural'>, verbs: readonly Verb[], terms: AccessTerms): Access {
  const { subresource, ...rest } = terms;
  if (terms.names !== undefined && verbs.includes('create')) {
    throw new RangeError(`${kind.plural}: names are given for a create; RBAC can limit only other verbs to names`);
  }
  const resource = subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`;
  return { group: kind.group, resource, verbs, ...rest };
}

/** Access that `watchKind` needs. With `names`: for watches with the field selector `metadata.name`, one a name. */
export function watchAccess(kind: Pick<Served, 'group' | 'plural'>, terms: AccessTerms): Access {
  return accessTo(kind, ['list', 'watch'], terms);
}
