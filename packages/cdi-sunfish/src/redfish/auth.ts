import { jsonClient, type JsonClient, type ProviderHost, type SecretRef, type TokenSource } from '@cro/cdi-core';
import type { SunfishConfig } from '../config.ts';
import { readAll, type SecretValues } from './secret-values.ts';
import { SessionTokens } from './session.ts';

/** A client that signs in as the configuration says, and the secrets that must not turn up in a message. */
export interface SignedIn {
  readonly client: JsonClient;
  readonly secrets: () => readonly string[];
}

/** Makes the client. Credentials are read at each use, so that a changed Secret counts at once. */
export function signIn(host: ProviderHost, config: SunfishConfig): SignedIn {
  const { caFile, credentials = {}, auth } = config;
  const seen = new Set<string>();
  const read = (refs: readonly (SecretRef | undefined)[]) => readAll(host, refs, seen);
  const secrets = () => [...seen];
  switch (auth) {
    case 'none':
      return { client: jsonClient(host, { caFile }), secrets };
    case 'bearer': {
      const tokens = fixed(
        () => read([credentials.token]),
        ([token = '']) => token,
      );
      return { client: jsonClient(host, { caFile, tokens }), secrets };
    }
    case 'basic': {
      const encode = ([user = '', password = '']: readonly string[]) =>
        Buffer.from(`${user}:${password}`).toString('base64');
      const tokens = fixed(() => read([credentials.username, credentials.password]), encode);
      const tokenHeaders = (token: string) => ({ authorization: `Basic ${token}` });
      return { client: jsonClient(host, { caFile, tokens, tokenHeaders }), secrets };
    }
    case 'session': {
      const tokens = new SessionTokens(host, config.endpoint, caFile, () =>
        read([credentials.username, credentials.password]),
      );
      const tokenHeaders = (token: string) => ({ 'x-auth-token': token });
      return { client: jsonClient(host, { caFile, tokens, tokenHeaders }), secrets };
    }
    default:
      return auth satisfies never;
  }
}

/** A token that is made of Secrets alone. */
function fixed(read: () => SecretValues, encode: (values: readonly string[]) => string): TokenSource {
  return {
    token: () => {
      const found = read();
      if (found.tag === 'failed') return Promise.resolve(found);
      return Promise.resolve({ tag: 'token', token: encode(found.values) });
    },
    drop: () => undefined,
  };
}
