import { decoderOf } from '@cro/crd-types';
import { Type } from 'typebox';
import { parseJson } from '../json/parse-json.ts';

/** When a token expires, or what is wrong with it. The problem never quotes the token. */
export type JwtExpiry =
  { readonly tag: 'expires'; readonly atMs: number } | { readonly tag: 'malformed'; readonly problem: string };

const decodeClaims = /* @__PURE__ */ decoderOf(Type.Object({ exp: Type.Number({ minimum: 0 }) }));

/**
 * Reads `exp` of a JWT (RFC 7519), in milliseconds since 1970. The signature is not checked: the token is the server's
 * business, and only its lifetime is ours.
 */
export function jwtExpiry(token: string): JwtExpiry {
  const [header, payload, signature, ...more] = token.split('.');
  if (!header || !payload || signature === undefined || more.length > 0) {
    return malformed('invalid access token: it is not a JWT of three parts');
  }
  if (!/^[\w-]+={0,2}$/.test(payload)) return malformed('failed to decode id_manager payload: illegal base64 data');
  const parsed = parseJson(Buffer.from(payload, 'base64url').toString('utf8'));
  if (parsed.tag === 'malformed') return malformed(`failed to unmarshal id_manager json: ${parsed.problem}`);
  const claims = decodeClaims(parsed.value);
  if (claims.tag === 'malformed') return malformed('failed to unmarshal id_manager json: exp is no number');
  return { tag: 'expires', atMs: claims.object.exp * 1000 };
}

function malformed(problem: string): JwtExpiry {
  return { tag: 'malformed', problem };
}
