import { cleanText } from '@cro/cdi-core';
import { decodeError, type Apply } from './wire.ts';

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
  const decoded = failed === undefined ? undefined : decodeError(failed.responseBody);
  if (decoded?.tag !== 'ok') return { tag: 'none' };
  const code = cleanText(decoded.object.code, 64);
  const { message } = decoded.object;
  const text = cleanText(typeof message === 'string' ? message : JSON.stringify(message ?? ''));
  // hw-control's own codes: E or C, then R (trying again may help) or F (final). layout-apply's are E and five digits.
  const own = /^[EC]([RF])/.exec(code)?.[1];
  if (own === undefined) return { tag: 'unanswered', code, message: text };
  return { tag: 'refused', code, message: text, mayPass: own === 'R' };
}
