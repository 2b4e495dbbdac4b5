import { cleanText, parseJson, type Answer } from '@cro/cdi-core';
import type { Failure, FailureKind } from '@cro/crd-types';
import { decodeErrorFrame } from './wire.ts';

type Refusal = Extract<Answer<unknown>, { tag: 'status' }>;

/** What a call is named in the texts of the Go operator, which users search their logs for. */
export interface CallNames {
  /** `FM get` in "failed to process FM get request". */
  readonly request: string;
  /** `FM get error response body` in "failed to unmarshal ... into errBody". */
  readonly errorBody: string;
  /** `FM get machine response body into machineData`. */
  readonly body: string;
}

/** A status that is no success. `framed`: the body was the Fabric Manager's own error frame, not that of something between. */
export function refusalOf(names: CallNames, answer: Refusal): { readonly framed: boolean; readonly failure: Failure } {
  const parsed = parseJson(answer.body);
  const frame = parsed.tag === 'ok' ? decodeErrorFrame(parsed.value) : undefined;
  const status = `(HTTP ${answer.status})`;
  if (frame?.tag === 'ok') {
    const { code, message } = frame.object.detail;
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    const said = `FM returned code: '${cleanText(String(code), 64)}', error message: '${cleanText(text)}'`;
    const failure = failureOf(
      answer,
      kindOf(answer.status),
      `failed to process ${names.request} request. ${said} ${status}`,
    );
    return { framed: true, failure };
  }
  const problem =
    parsed.tag === 'malformed' ? parsed.problem : frame?.tag === 'malformed' ? cleanText(frame.message) : '';
  const message = `failed to unmarshal ${names.errorBody} into errBody. Original error: ${problem} ${status}`;
  // The kinds of these do not depend on who answers; of other statuses only the Fabric Manager's own word counts.
  const { status: code } = answer;
  const kind = code === 401 || code === 403 || code === 429 || code >= 500 ? kindOf(code) : 'Protocol';
  return { framed: false, failure: failureOf(answer, kind, message) };
}

/** A success whose body is not what the wire format says. */
export function mismatchOf(names: CallNames, answer: Extract<Answer<unknown>, { tag: 'mismatch' }>): Failure {
  const message = `failed to unmarshal ${names.body}: ${answer.problem} (HTTP ${answer.status})`;
  return { kind: 'Protocol', message };
}

function kindOf(status: number): FailureKind {
  if (status === 401 || status === 403) return 'Unauthenticated';
  if (status === 409 || status === 423 || status === 429 || status === 503) return 'Busy';
  return status >= 500 ? 'Unreachable' : 'Rejected';
}

function failureOf({ retryAfterMs }: Refusal, kind: FailureKind, message: string): Failure {
  return { kind, message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}
