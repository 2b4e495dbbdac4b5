import type { Answer } from '@cro/cdi-core';
import type { Refusal, Words } from '../certainty.ts';
import { kindOf, readErrorFrame } from '../error-frame.ts';

/** The answers to a call of CM, in the Go operator's words first, which users search their logs for. */
export function wordsOf(what: string, body: string): Words {
  return {
    refusal: (answer) => refusalOf(what, answer),
    mismatch: ({ problem, status }) => ({
      kind: 'Protocol',
      message: `failed to unmarshal ${body}: ${problem} (HTTP ${status})`,
    }),
  };
}

function refusalOf(what: string, answer: Extract<Answer<unknown>, { tag: 'status' }>): Refusal {
  const { status, body, retryAfterMs } = answer;
  const frame = readErrorFrame('CM', body);
  const framed = frame.tag === 'frame';
  const said = framed ? `, ${frame.said}` : `, and the body is not an error of CM: ${frame.problem}`;
  const message = `failed to process ${what} request. http returned status: ${status}${said}`;
  const wish = retryAfterMs === undefined ? {} : { retryAfterMs };
  return { framed, failure: { kind: kindOf(status, framed), message, ...wish } };
}
