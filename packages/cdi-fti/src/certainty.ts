import type { Answer, Asked } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';

/** A status that is no success. `framed`: the body was the manager's own error frame, not that of something between. */
export interface Refusal {
  readonly framed: boolean;
  readonly failure: Failure;
}

/** How a manager's answers are told. */
export interface Words {
  readonly refusal: (answer: Extract<Answer<unknown>, { tag: 'status' }>) => Refusal;
  readonly mismatch: (answer: Extract<Answer<unknown>, { tag: 'mismatch' }>) => Failure;
}

/**
 * What an answer to a change proves when it is no success. Proof that nothing changed is: an error in the manager's own
 * words with a status below 500; 401 and 429, whoever answers them, since both say that the request was not looked at; and a
 * request that never left. A page of something in between, a broken connection and a broken server prove nothing.
 */
export function refusedOrInDoubt(
  words: Words,
  answer: Exclude<Answer<unknown>, { tag: 'ok' }>,
): Extract<Asked, { tag: 'refused' | 'inDoubt' }> {
  switch (answer.tag) {
    case 'mismatch':
      return { tag: 'inDoubt', failure: words.mismatch(answer) };
    case 'noAnswer':
      if (!answer.sent) return { tag: 'refused', failure: answer.failure };
      return { tag: 'inDoubt', failure: { kind: 'InDoubt', message: answer.failure.message } };
    case 'status': {
      const { framed, failure } = words.refusal(answer);
      if (isProof(answer.status, framed)) return { tag: 'refused', failure };
      const kind = failure.kind === 'Protocol' ? 'Protocol' : 'InDoubt';
      return { tag: 'inDoubt', failure: { ...failure, kind } };
    }
    default:
      return answer satisfies never;
  }
}

/** What stands in the way of a read. */
export function readFailure(words: Words, answer: Exclude<Answer<unknown>, { tag: 'ok' }>): Failure {
  switch (answer.tag) {
    case 'status':
      return words.refusal(answer).failure;
    case 'mismatch':
      return words.mismatch(answer);
    case 'noAnswer':
      return answer.failure;
    default:
      return answer satisfies never;
  }
}

function isProof(status: number, framed: boolean): boolean {
  if (status === 401 || status === 429) return true;
  // 408: the server gave up waiting, for what it does not say.
  return framed && status < 500 && status !== 408;
}
