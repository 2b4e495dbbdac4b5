import type { Call, Protocol } from '../core/call.ts';
import { decodeSegment } from '../core/decode.ts';
import { headerOf, type Reply, type SimRequest } from '../core/http.ts';
import { effectsOf, type Effect } from '../faults/effect.ts';
import type { TokenBook } from './token-book.ts';

/** Who may have a token. */
export interface Credentials {
  readonly realm: string;
  readonly username: string;
  readonly password: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const TOKEN_PATH = /^\/id_manager\/realms\/([^/]+)\/protocol\/openid-connect\/token$/;

/** How long a refresh token lives, in seconds; nobody here takes one back. */
const REFRESH_SECONDS = 1800;

/** The id_manager, which takes the `credentials` of the moment: hands out tokens for a user's password, as OpenID Connect's password grant does. */
export function createIdManager(credentials: () => Credentials, tokens: TokenBook): Protocol {
  return {
    route(request, url): Call | undefined {
      const realm = TOKEN_PATH.exec(url.pathname)?.[1];
      if (realm === undefined) return undefined;
      return {
        kind: 'token',
        perform: (effects) => grant(credentials(), tokens, decodeSegment(realm), request, effects),
      };
    },
  };
}

function grant(
  credentials: Credentials,
  tokens: TokenBook,
  realm: string | undefined,
  request: SimRequest,
  effects: readonly Effect[],
): Reply {
  const refused = refuse(credentials, realm, request);
  if (refused !== undefined) return refused;
  const accessToken = flawed(effects) ?? tokens.issue(credentials.username, credentials.realm);
  return json(200, {
    access_token: accessToken,
    expires_in: tokens.lifetimeSeconds,
    refresh_expires_in: REFRESH_SECONDS,
    refresh_token: tokens.opaque(),
    token_type: 'Bearer',
    id_token: tokens.opaque(),
    'not-before-policy': 0,
    session_state: tokens.opaque(),
    scope: 'openid',
  });
}

function refuse(credentials: Credentials, realm: string | undefined, request: SimRequest): Reply | undefined {
  if (request.method !== 'POST') return failure(405, 'invalid_request', `method ${request.method}: only POST is known`);
  const contentType = headerOf(request, 'content-type') ?? '';
  if (!contentType.startsWith('application/x-www-form-urlencoded')) {
    return failure(415, 'invalid_request', 'Content-Type must be application/x-www-form-urlencoded');
  }
  if (realm !== credentials.realm) return failure(404, 'Realm does not exist');
  const form = new URLSearchParams(request.body ?? '');
  const grantType = form.get('grant_type');
  if (grantType === null) return failure(400, 'invalid_request', 'Missing form parameter: grant_type');
  if (grantType !== 'password') return failure(400, 'unsupported_grant_type', 'Unsupported grant_type');
  if (form.get('scope') !== 'openid') return failure(400, 'invalid_scope', 'scope must be openid');
  if (form.get('client_id') !== credentials.clientId || form.get('client_secret') !== credentials.clientSecret) {
    return failure(401, 'invalid_client', 'Invalid client or Invalid client credentials');
  }
  if (form.get('username') !== credentials.username || form.get('password') !== credentials.password) {
    return failure(401, 'invalid_grant', 'Invalid user credentials');
  }
  return undefined;
}

function flawed(effects: readonly Effect[]): string | undefined {
  const flaw = effectsOf(effects, 'badToken')[0]?.flaw;
  switch (flaw) {
    case undefined:
      return undefined;
    case 'notJwt':
      return 'this-is-not-a-valid-jwt';
    case 'badBase64':
      return 'header.%%%%.signature';
    case 'badJson':
      return `header.${Buffer.from('this is not json').toString('base64url')}.signature`;
    default:
      return flaw satisfies never;
  }
}

function failure(status: number, error: string, description?: string): Reply {
  return json(status, description === undefined ? { error } : { error, error_description: description });
}

function json(status: number, body: unknown): Reply {
  return { tag: 'json', status, body };
}
