import type { Failure } from '@cro/crd-types';

/** The headers that a call asked for with `wantHeaders`, those of them that came. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/**
 * What became of a call.
 *
 * - `ok`: a 2xx status, and the body matched.
 * - `mismatch`: a 2xx status, so the server did what it was asked for, and a body that did not match; `problem` says
 *   where.
 * - `status`: any other status. `body` is as it came: clean it before use.
 * - `noAnswer`: `sent: false` is certain that the server did not get the request.
 */
export type Answer<T> =
  | { readonly tag: 'ok'; readonly status: number; readonly value: T; readonly headers?: AnswerHeaders }
  | { readonly tag: 'mismatch'; readonly status: number; readonly problem: string; readonly headers?: AnswerHeaders }
  | { readonly tag: 'status'; readonly status: number; readonly body: string; readonly retryAfterMs?: number }
  | { readonly tag: 'noAnswer'; readonly sent: boolean; readonly failure: Failure };
