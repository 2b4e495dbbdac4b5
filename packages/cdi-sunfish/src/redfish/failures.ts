import { cleanText, parseJson, type Answer } from '@cro/cdi-core';
import type { Failure, FailureKind } from '@cro/crd-types';
import { decode } from './wire.ts';

type Refusal = Extract<Answer<unknown>, { tag: 'status' }>;

/** Ends of MessageIds (registries Base and Composition, 2025.4) that say more than the status does. */
const KINDS: readonly (readonly [RegExp, FailureKind])[] = [
  [/(?:ResourceBlockInUse|ResourceInUse|AlreadyReserved|ServiceTemporarilyUnavailable|ServiceShuttingDown)$/, 'Busy'],
  [/(?:PreconditionFailed|PreconditionRequired)$/, 'Busy'],
  [/(?:NoResourceMatch|InsufficientResources|InsufficientStorage|CreateLimitReachedForResource)$/, 'Exhausted'],
  [/(?:ResourceAlreadyExists)$/, 'Conflict'],
  [/(?:ResourceBlockNotFound|ResourceBlockInvalid|IncompatibleZone)$/, 'Rejected'],
  [/(?:NoValidSession|InsufficientPrivilege|ResourceAtUriUnauthorized|AccessDenied)$/, 'Unauthenticated'],
];

/** What a status that is no success says. `messageId` is the last part of the registry's, where the body is a Redfish error. */
export interface Said {
  readonly messageId: string | undefined;
  readonly failure: Failure;
}

/** Reads an error: Redfish's own frame (DSP0266), `{"message": ...}`, or a page, of which nothing is quoted. */
export function saidBy(what: string, answer: Refusal): Said {
  const { status, retryAfterMs } = answer;
  const parsed = parseJson(answer.body);
  const frame = parsed.tag === 'ok' ? decode.error(parsed.value) : undefined;
  const error = frame?.tag === 'ok' ? frame.object.error : undefined;
  const info = error?.['@Message.ExtendedInfo']?.[0];
  const messageId = (info?.MessageId ?? error?.code)?.split('.').at(-1);
  const message = info?.Message ?? error?.message ?? plainMessage(parsed.tag === 'ok' ? parsed.value : undefined);
  const words = [messageId, message].filter((word) => word !== undefined).map((word) => cleanText(word));
  const text = `${what}: ${[...words, `HTTP ${status}`].join(': ')}`;
  const known = KINDS.find(([pattern]) => pattern.test(messageId ?? ''))?.[1];
  const failure = { kind: known ?? kindOf(status), message: text };
  return { messageId, failure: { ...failure, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } };
}

function plainMessage(body: unknown): string | undefined {
  const message: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'message') : undefined;
  return typeof message === 'string' ? message : undefined;
}

function kindOf(status: number): FailureKind {
  if (status === 401 || status === 403) return 'Unauthenticated';
  if ([409, 412, 423, 428, 429, 503].includes(status)) return 'Busy';
  if (status === 507) return 'Exhausted';
  return status >= 500 ? 'Unreachable' : 'Rejected';
}

/** Why a read has no answer that can be used. */
export function readFailure(what: string, answer: Exclude<Answer<unknown>, { tag: 'ok' }>): Failure {
  switch (answer.tag) {
    case 'status':
      return saidBy(what, answer).failure;
    case 'mismatch':
      return { kind: 'Protocol', message: `${what}: ${answer.problem}` };
    case 'noAnswer':
      return answer.failure;
    default:
      return answer satisfies never;
  }
}
