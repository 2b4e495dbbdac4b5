import type { KubeClient } from '../client/client.ts';
import { isObject, textField } from '../json.ts';
import type { Kind, KubeObject } from '../kind.ts';
import type { Access, Verb } from './access.ts';

interface Review extends KubeObject {
  /** Why the answer may be wrong, such as roles that are not read yet; empty when it is right. */
  readonly doubt: string;
  readonly allowed: boolean;
}

/** A question that every user may ask about itself. It is never stored, and has no name. */
const reviews: Kind<Review> = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  namespaced: false,
  decode(value) {
    const status = isObject(value) ? value.status : undefined;
    if (!isObject(status) || typeof status.allowed !== 'boolean') {
      return { tag: 'malformed', message: 'status.allowed: expected true or false' };
    }
    const { kind } = reviews;
    const metadata = { name: '', uid: '', resourceVersion: '' };
    return {
      tag: 'ok',
      object: {
        apiVersion: 'authorization.k8s.io/v1',
        kind,
        metadata,
        allowed: status.allowed,
        doubt: textField(status, 'evaluationError') ?? '',
      },
    };
  },
};

/** What is granted of an access. `missing`: the part that is not; `unknown`: nobody answered. */
export type Granted =
  | { readonly tag: 'granted' }
  | { readonly tag: 'missing'; readonly missing: Access }
  | { readonly tag: 'unknown'; readonly message: string };

/** Asks the API server which part of an access this process has (authorization.k8s.io/v1 SelfSubjectAccessReview). */
export async function reviewAccess(client: KubeClient, access: Access): Promise<Granted> {
  const verbs: Verb[] = [];
  for (const verb of access.verbs) {
    for (const name of access.names ?? [undefined]) {
      const outcome = await client.create(reviews, {
        metadata: {},
        spec: { resourceAttributes: asked(access, verb, name) },
      });
      if (outcome.tag !== 'done') {
        return { tag: 'unknown', message: 'error' in outcome ? outcome.error.message : outcome.tag };
      }
      const { allowed, doubt } = outcome.object;
      if (!allowed && doubt !== '') return { tag: 'unknown', message: doubt };
      if (!allowed && !verbs.includes(verb)) verbs.push(verb);
    }
  }
  return verbs.length === 0 ? { tag: 'granted' } : { tag: 'missing', missing: { ...access, verbs } };
}

function asked({ group, resource, namespace }: Access, verb: Verb, name: string | undefined): object {
  const [plural, subresource] = resource.split('/');
  return {
    group,
    resource: plural,
    ...(subresource !== undefined && { subresource }),
    verb,
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
  };
}
