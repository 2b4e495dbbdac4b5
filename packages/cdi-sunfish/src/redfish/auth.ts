import { jsonClient, type JsonClient, type ProviderHost, type SecretRef, type TokenSource } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';
import type { SunfishConfig } from '../config.ts';
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

/** Values of Secrets, or why they cannot be had. */
export type SecretValues =
  | { readonly tag: 'values'; readonly values: readonly string[] }
  | { readonly tag: 'failed'; readonly failure: Failure };

function readAll(host: ProviderHost, refs: readonly (SecretRef | undefined)[], seen: Set<string>): SecretValues {
  const values: string[] = [];
  for (const ref of refs) {
    if (ref === undefined) return missing();
    const outcome = host.secret(ref);
    if (outcome.tag === 'failed') return outcome;
    // Files and `kubectl create secret` tend to leave a line end behind, which no header may hold.
    const value = outcome.value.trim();
    seen.add(value);
    values.push(value);
  }
  return { tag: 'values', values };
}

function missing(): SecretValues {
  const message = 'the configuration does not say in which Secret the credentials are: set credentials';
  return { tag: 'failed', failure: { kind: 'Blocked', message } };
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
