import type { Clock } from '@cro/clock';
import { headerOf, type Reply, type SimRequest } from '../core/http.ts';
import { fmError } from '../fm/errors.ts';
import type { TokenBook } from '../id-manager/token-book.ts';
import type { Lanes } from '../pool/lanes.ts';
import type { Pool } from '../pool/pool.ts';
import type { CmBook } from './book.ts';

/** What CM works with. Durations answer milliseconds, drawn anew for each device. */
export interface CmContext {
  readonly clock: Clock;
  readonly pool: Pool;
  readonly book: CmBook;
  readonly lanes: Lanes;
  readonly tokens: TokenBook;
  readonly tenant: string;
  readonly cluster: string;
  readonly attachMs: () => number;
  readonly detachMs: () => number;
  /** Status of a resize that was accepted. */
  readonly resizeStatus: 200 | 202;
  /** `max_resspec_count` of every spec. */
  readonly maxPerSpec: number;
}

/** CM's error frame, which is FM's. */
export const cmError = fmError;

/** Why a request is not let in, if it is not: its token, its tenant, its cluster. */
export function refuseEntry(
  context: CmContext,
  request: SimRequest,
  tenant: string | undefined,
  cluster: string | undefined,
): Reply | undefined {
  const check = context.tokens.check(headerOf(request, 'authorization'));
  if (check !== 'valid') return cmError(401, `the access token is ${check}`);
  if (tenant !== context.tenant) return cmError(404, 'tenant not found');
  if (cluster !== context.cluster) return cmError(404, 'cluster not found');
  return undefined;
}
