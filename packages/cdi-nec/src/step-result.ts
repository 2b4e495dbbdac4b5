import { cleanText } from '@cro/cdi-core';
import { decodeAsked, decodeError, type Apply } from './wire.ts';

/**
 * What stopped the one step of an apply. `refused`: the hardware said no, so that nothing changed; `mayPass`: it was busy.
 * `unanswered`: it was not reached, or did not answer in time, or not as it should. `none`: nothing is told.
 */
export type StepResult =
  | { readonly tag: 'refused'; readonly code: string; readonly message: string; readonly mayPass: boolean }
  | { readonly tag: 'unanswered'; readonly code: string; readonly message: string }
  | { readonly tag: 'none' };

/** Reads the step's result: that of the last resume where there was one, since the old failure stays in the record. */
export function resultOf({ applyResult = [], resumeResult = [], resumedAt }: Apply): StepResult {
  const results = resumedAt === undefined || resumeResult.length === 0 ? applyResult : resumeResult;
  const failed = results.find(({ status }) => status === 'FAILED');
  if (failed === undefined) return { tag: 'none' };
  const { responseBody, getInformation, isOSBoot, statusCode } = failed;
  const told = errorIn(responseBody);
  if (told !== undefined) return classified(told);
  // Where no call was made, the question before it was answered with an error: the hardware was asked for nothing.
  const before = errorIn(answerOf(getInformation));
  if (before !== undefined && statusCode === undefined) return classified(before);
  const after = errorIn(answerOf(isOSBoot)) ?? before;
  return after === undefined ? { tag: 'none' } : { tag: 'unanswered', ...after };
}

interface Told {
  readonly code: string;
  readonly message: string;
}

function errorIn(body: unknown): Told | undefined {
  const decoded = decodeError(body);
  if (decoded.tag !== 'ok') return undefined;
  const { code, message } = decoded.object;
  const text = typeof message === 'string' ? message : JSON.stringify(message ?? '');
  return { code: cleanText(code, 64), message: cleanText(text) };
}

function answerOf(asked: unknown): unknown {
  const decoded = decodeAsked(asked);
  return decoded.tag === 'ok' ? decoded.object.responseBody : undefined;
}

function classified({ code, message }: Told): StepResult {
  // hw-control's own codes: E or C, then R (trying again may help) or F (final). layout-apply's are E and five digits.
  const own = /^[EC]([RF])/.exec(code)?.[1];
  if (own === undefined) return { tag: 'unanswered', code, message };
  return { tag: 'refused', code, message, mayPass: own === 'R' };
}
