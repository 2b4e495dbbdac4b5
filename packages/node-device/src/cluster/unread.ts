import type { Failure } from '@cro/crd-types';
import type { Cache } from '@cro/kube-runtime';

/** Why nothing can be said by a cache that has never been read; `undefined` when it has. */
export function problemOf(cache: Pick<Cache<unknown>, 'synced' | 'problem'>, what: string): Failure | undefined {
  if (cache.synced) return undefined;
  return { kind: 'Unreachable', message: `${what} cannot be read: ${cache.problem ?? 'no answer so far'}` };
}
