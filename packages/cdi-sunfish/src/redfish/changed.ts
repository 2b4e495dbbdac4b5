import { retryAfterMs, type Answer } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';
import { saidBy } from './failures.ts';
import { isUri } from './uri.ts';

/**
 * What an answer to a change proves.
 *
 * - `done`: a success that is final.
 * - `accepted`: 202; `operation` is the path of its task monitor, if it is one of the same service, `retryAfterMs` its Retry-After.
 * - `gone`: 404 or 410. To a DELETE it is a success.
 * - `refused`: certain that nothing changed.
 * - `unclear`: it may have happened.
 */
export type Changed =
  | { readonly tag: 'done'; readonly location?: string }
  | { readonly tag: 'accepted'; readonly operation?: string; readonly retryAfterMs?: number }
  | { readonly tag: 'gone'; readonly failure: Failure }
  | { readonly tag: 'refused'; readonly status: number | undefined; readonly failure: Failure }
  | { readonly tag: 'unclear'; readonly status: number | undefined; readonly failure: Failure };

/** MessageIds with which a service says that it has not begun, whatever the status. */
const NOT_BEGUN = /^(?:ServiceTemporarilyUnavailable|ServiceShuttingDown|InsufficientResources|InsufficientStorage)$/;

/**
 * Reads the answer to a change. HTTP has a request that is answered with 400 to 499 not carried out; 408 is the one that
 * does not say. `now` is the time for a Retry-After that names one. `base` is the service's origin: a task monitor elsewhere is not followed.
 */
export function changedBy(what: string, base: string, answer: Answer<unknown>, now: number): Changed {
  switch (answer.tag) {
    case 'ok':
    case 'mismatch': {
      const location = pathOf(answer.headers?.['location'], base);
      if (answer.status !== 202) return { tag: 'done', ...(location === undefined ? {} : { location }) };
      const wait = retryAfterMs(answer.headers?.['retry-after'], now);
      return {
        tag: 'accepted',
        ...(location === undefined ? {} : { operation: location }),
        ...(wait === undefined ? {} : { retryAfterMs: wait }),
      };
    }
    case 'noAnswer': {
      const { sent, failure } = answer;
      if (!sent) return { tag: 'refused', status: undefined, failure };
      return { tag: 'unclear', status: undefined, failure: { kind: 'InDoubt', message: failure.message } };
    }
    case 'status': {
      const { status } = answer;
      const { messageId, failure } = saidBy(what, answer);
      if (status === 404 || status === 410) return { tag: 'gone', failure };
      const isProof = (status >= 400 && status < 500 && status !== 408) || NOT_BEGUN.test(messageId ?? '');
      if (isProof) return { tag: 'refused', status, failure };
      return { tag: 'unclear', status, failure: { kind: 'InDoubt', message: failure.message } };
    }
    default:
      return answer satisfies never;
  }
}

/** The path of a `Location`, if it is one of this service. */
function pathOf(location: string | undefined, base: string): string | undefined {
  const url = location === undefined ? null : URL.parse(location, base);
  if (url === null || url.origin !== base) return undefined;
  return isUri(url.pathname) && url.search === '' ? url.pathname : undefined;
}
