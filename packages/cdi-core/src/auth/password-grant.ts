import { decoderOf, type Failure } from '@cro/crd-types';
import { Type } from 'typebox';
import type { ProviderHost } from '../contract/host.ts';
import type { Answer } from '../json/answer.ts';
import type { JsonCall } from '../json/json-call.ts';
import { jsonClient } from '../json/json-client.ts';
import { cleanText } from '../text/clean-text.ts';
import { readCredentials, type CredentialRefs, type Credentials } from './credentials.ts';
import { jwtExpiry } from './jwt.ts';
import { TokenCache, type Grant } from './token-cache.ts';
import type { TokenSource } from './token-source.ts';

/** What a password grant needs. */
export interface PasswordGrantOptions {
  /** Makes the token endpoint's URL; `realm` comes URL-encoded. */
  readonly url: (realm: string) => string;
  readonly credentials: CredentialRefs;
  readonly caFile?: string | undefined;
}

/** Bound of one token call, in milliseconds: what the Go operator allows. */
const TIMEOUT_MS = 30_000;

const decodeToken = /* @__PURE__ */ decoderOf(Type.Object({ access_token: Type.String({ minLength: 1 }) }));

/**
 * Tokens by OAuth's password grant with an OpenID server whose access tokens are JWTs, as Fujitsu's id_manager
 * (go-operator.md, "Token"). The credentials are read at each use, so a changed Secret counts at once; the token is kept until
 * 30 s before its `exp`.
 */
export function passwordGrant(
  host: Pick<ProviderHost, 'http' | 'clock' | 'random' | 'secret' | 'log'>,
  options: PasswordGrantOptions,
): TokenSource {
  const client = jsonClient(host, { caFile: options.caFile });
  const ask = async (credentials: Credentials): Promise<Grant> => {
    const call = callOf(options.url(encodeURIComponent(credentials.realm)), credentials);
    // No caller's signal: the answer is for everybody who waits for it.
    const context = { signal: new AbortController().signal, timeoutMs: TIMEOUT_MS };
    const grant = grantOf(await client.call(call, context));
    if (grant.tag === 'granted') host.log.info('token renewed', { realm: credentials.realm });
    return grant;
  };
  const cache = new TokenCache(host.clock);
  return {
    async token(signal) {
      const credentials = readCredentials(host.secret, options.credentials);
      if (credentials.tag === 'failed') return failed(credentials.failure);
      const key = JSON.stringify(credentials.value);
      return cache.get(key, () => ask(credentials.value), signal);
    },
    drop: (token) => {
      cache.drop(token);
    },
  };
}

function callOf(url: string, credentials: Credentials): JsonCall<{ access_token: string }> {
  const { client_id, client_secret, username, password } = credentials;
  const form = new URLSearchParams({
    client_id,
    client_secret,
    username,
    password,
    scope: 'openid',
    response_type: 'id_token token',
    grant_type: 'password',
  });
  return {
    what: 'id_manager token',
    method: 'POST',
    url,
    form: form.toString(),
    decode: decodeToken,
    secrets: [password, client_secret],
  };
}

function grantOf(answer: Answer<{ access_token: string }>): Grant {
  switch (answer.tag) {
    case 'ok':
      return grantedBy(answer.value.access_token);
    case 'mismatch': {
      const problem = `failed to read id_manager response body into Token: ${answer.problem} (HTTP ${answer.status})`;
      return failed({ kind: 'Protocol', message: problem });
    }
    case 'status':
      return failed(refusal(answer));
    case 'noAnswer':
      return failed(answer.failure);
  }
}

function grantedBy(token: string): Grant {
  const expiry = jwtExpiry(token);
  return expiry.tag === 'expires'
    ? { tag: 'granted', token, expiresAtMs: expiry.atMs }
    : failed({ kind: 'Protocol', message: expiry.problem });
}

function refusal({ status, body, retryAfterMs }: Extract<Answer<unknown>, { tag: 'status' }>): Failure {
  const message = `http returned code: ${status}, response body: ${cleanText(body)}`;
  const kind = status === 429 ? 'Busy' : status >= 500 ? 'Unreachable' : 'Unauthenticated';
  return { kind, message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

function failed(failure: Failure): { readonly tag: 'failed'; readonly failure: Failure } {
  return { tag: 'failed', failure: { ...failure, message: `unable to rotate token: ${failure.message}` } };
}
