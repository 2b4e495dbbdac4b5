import { attributesOf, covers, type Access, type TransportRequest } from '@cro/kube-runtime';

/** Stands before the simulated API server, which itself allows everything, and refuses what is not granted. */
export interface Authorizer {
  /** What is granted now; a test may change it. */
  grants: readonly Access[];
  /** What was refused, one line a request. */
  readonly refused: readonly string[];
  /** The answer to a request that is not granted. */
  judge(request: Pick<TransportRequest, 'method' | 'path'>): Refusal | undefined;
}

/** A 403 as the API server words it. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Grants the operator what it declares that it asks, and nothing else. Asking for more is a fault of the declaration, which must
 * not pass for a refusal that the operator lives with: it is thrown past everything, and fails the run. A test that grants less by
 * intent says so with `grants`, and looks at `refused` itself.
 */
export function authorizerOf(declared: readonly Access[], grants: readonly Access[] | undefined): Authorizer {
  const refused: string[] = [];
  return {
    grants: grants ?? declared,
    refused,
    judge(request) {
      const asked = attributesOf(request);
      if (asked === undefined || this.grants.some((access) => covers(access, asked))) return undefined;
      const { verb, group, resource, namespace, name } = asked;
      const line = `${verb} ${group === '' ? '' : `${group}/`}${resource} ${namespace}/${name}`;
      refused.push(line);
      if (grants === undefined) void Promise.reject(new Error(`no access in src/ declares the request: ${line}`));
      return forbidden(asked);
    },
  };
}

function forbidden({ verb, group, resource, namespace, name }: NonNullable<ReturnType<typeof attributesOf>>): Refusal {
  const [plural = '', subresource] = resource.split('/');
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  const subject = `${plural}${group === '' ? '' : `.${group}`}${name === '' ? '' : ` "${name}"`}`;
  const may = `User "operator" cannot ${verb} resource "${plural}${subresource === undefined ? '' : `/${subresource}`}" in API group "${group}" ${where}`;
  return {
    status: 403,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `${subject} is forbidden: ${may}`,
      reason: 'Forbidden',
      details: { group, kind: plural, ...(name !== '' && { name }) },
      code: 403,
    }),
  };
}
