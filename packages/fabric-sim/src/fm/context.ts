import type { Clock } from '@cro/clock';
import { headerOf, type Reply, type SimRequest } from '../core/http.ts';
import type { TokenBook } from '../id-manager/token-book.ts';
import type { Lanes } from '../pool/lanes.ts';
import type { Pool } from '../pool/pool.ts';
import { fmError } from './errors.ts';

/** What FM works with. Durations answer milliseconds, drawn anew for each device. */
export interface FmContext {
  readonly clock: Clock;
  readonly pool: Pool;
  readonly lanes: Lanes;
  readonly tokens: TokenBook;
  readonly tenant: string;
  readonly attachMs: () => number;
  readonly detachMs: () => number;
  /** Status of a detach that was done: the product answers one or the other. */
  readonly detachStatus: 200 | 204;
}

/** Why a request is not let in, if it is not: its token, then its tenant. */
export function refuseEntry(context: FmContext, request: SimRequest, url: URL): Reply | undefined {
  const check = context.tokens.check(headerOf(request, 'authorization'));
  if (check !== 'valid') return fmError(401, `the access token is ${check}`);
  const tenant = url.searchParams.get('tenant_uuid');
  if (tenant === null) return fmError(400, 'query parameter tenant_uuid is missing');
  if (tenant !== context.tenant) return fmError(404, 'tenant not found');
  return undefined;
}
