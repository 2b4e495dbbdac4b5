import { cleanText, parseJson, type Answer } from '@cro/cdi-core';
import type { Failure, FailureKind } from '@cro/crd-types';
import { decodeError } from './wire.ts';

type Unhappy = Exclude<Answer<unknown>, { tag: 'ok' }>;

/** A refusal in CDIM's own words. `code`: `E40010`, `EF011BAS000`, `notFound`, ... */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  /** Where the apply stands that the refusal is about, if it says so. */
  readonly status: string | undefined;
}

/** CDIM's error body, if an answer has one: then CDIM itself speaks, and not a gateway before it. */
export function refusalIn(answer: Unhappy): Refusal | undefined {
  if (answer.tag !== 'status') return undefined;
  const parsed = parseJson(answer.body);
  const decoded = parsed.tag === 'ok' ? decodeError(parsed.value) : undefined;
  if (decoded?.tag !== 'ok') return undefined;
  const { code, message, status } = decoded.object;
  return { code: cleanText(code, 64), message: textOf(message), status };
}

/** Why a call came to nothing. */
export function failureOf(what: string, answer: Unhappy): Failure {
  switch (answer.tag) {
    case 'noAnswer':
      return answer.failure;
    case 'mismatch':
      return { kind: 'Protocol', message: `${what}: ${answer.problem} (HTTP ${answer.status})` };
    case 'status': {
      const { status, retryAfterMs } = answer;
      const refusal = refusalIn(answer);
      const said = refusal === undefined ? '' : `: ${refusal.code}, '${refusal.message}'`;
      const failure = { kind: kindOf(status, refusal), message: `${what} was answered with HTTP ${status}${said}` };
      return { ...failure, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    }
    default:
      return answer satisfies never;
  }
}

function kindOf(status: number, refusal: Refusal | undefined): FailureKind {
  if (status === 401 || status === 403) return 'Unauthenticated';
  if (status === 409 || status === 429 || status === 503) return 'Busy';
  if (status >= 500) return 'Unreachable';
  return refusal === undefined ? 'Protocol' : 'Rejected';
}

/** `message` is a text, or a list of what is wrong with a request. */
function textOf(message: unknown): string {
  if (message === undefined) return '';
  return cleanText(typeof message === 'string' ? message : JSON.stringify(message));
}
