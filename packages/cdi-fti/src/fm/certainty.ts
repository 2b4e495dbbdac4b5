import type { Answer, Asked } from '@cro/cdi-core';
import { mismatchOf, refusalOf, type CallNames } from './failures.ts';

/**
 * What an answer to a change proves when it is no success. Proof that nothing changed is: an error in the Fabric Manager's own
 * words with a status below 500; 401 and 429, whoever answers them, since both say that the request was not looked at; and a
 * request that never left. A page of something in between, a broken connection and a broken server prove nothing.
 */
export function refusedOrInDoubt(names: CallNames, answer: Exclude<Answer<unknown>, { tag: 'ok' }>): Asked {
  switch (answer.tag) {
    case 'mismatch':
      return { tag: 'inDoubt', failure: mismatchOf(names, answer) };
    case 'noAnswer':
      if (!answer.sent) return { tag: 'refused', failure: answer.failure };
      return { tag: 'inDoubt', failure: { kind: 'InDoubt', message: answer.failure.message } };
    case 'status': {
      const { framed, failure } = refusalOf(names, answer);
      if (isProof(answer.status, framed)) return { tag: 'refused', failure };
      const kind = failure.kind === 'Protocol' ? 'Protocol' : 'InDoubt';
      return { tag: 'inDoubt', failure: { ...failure, kind } };
    }
    default:
      return answer satisfies never;
  }
}

function isProof(status: number, framed: boolean): boolean {
  if (status === 401 || status === 429) return true;
  // 408: the server gave up waiting, for what it does not say.
  return framed && status < 500 && status !== 408;
}
