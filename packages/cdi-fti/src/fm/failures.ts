import type { Answer } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';
import type { Refusal, Words } from '../certainty.ts';
import { kindOf, readErrorFrame } from '../error-frame.ts';

/** What a call is named in the texts of the Go operator, which users search their logs for. */
export interface CallNames {
  /** `FM get` in "failed to process FM get request". */
  readonly request: string;
  /** `FM get error response body` in "failed to unmarshal ... into errBody". */
  readonly errorBody: string;
  /** `FM get machine response body into machineData`. */
  readonly body: string;
}

/** The answers to a call of FM, in words. */
export function wordsOf(names: CallNames): Words {
  return { refusal: (answer) => refusalOf(names, answer), mismatch: (answer) => mismatchOf(names, answer) };
}

function refusalOf(names: CallNames, answer: Extract<Answer<unknown>, { tag: 'status' }>): Refusal {
  const { status, body, retryAfterMs } = answer;
  const frame = readErrorFrame('FM', body);
  const framed = frame.tag === 'frame';
  const text = framed
    ? `failed to process ${names.request} request. ${frame.said}`
    : `failed to unmarshal ${names.errorBody} into errBody. Original error: ${frame.problem}`;
  const failure = { kind: kindOf(status, framed), message: `${text} (HTTP ${status})` };
  return { framed, failure: { ...failure, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } };
}

/** A success whose body is not what the wire format says. */
export function mismatchOf(names: CallNames, answer: Extract<Answer<unknown>, { tag: 'mismatch' }>): Failure {
  const message = `failed to unmarshal ${names.body}: ${answer.problem} (HTTP ${answer.status})`;
  return { kind: 'Protocol', message };
}
