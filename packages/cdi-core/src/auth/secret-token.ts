import type { ProviderHost, SecretRef } from '../contract/host.ts';
import type { TokenSource } from './token-source.ts';

/**
 * A bearer token that stands in a Secret. It is read at each use, so that a new one counts at once; a call that is answered
 * with 401 is repeated with what stands there then.
 */
export function secretToken(secret: ProviderHost['secret'], ref: SecretRef): TokenSource {
  return {
    token: () => {
      const found = secret(ref);
      if (found.tag === 'failed') return Promise.resolve(found);
      // Files and `kubectl create secret` tend to leave a line end behind, which no header may hold.
      return Promise.resolve({ tag: 'token', token: found.value.trim() });
    },
    drop: () => undefined,
  };
}
