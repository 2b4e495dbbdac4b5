import { isObject, numberField, objectField, parseJson, textField } from '../json.ts';
import type { ApiError } from './outcome.ts';

/** A complete answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const LONGEST_FOREIGN_TEXT = 300;

/** Reads the `Status` object of a refused request (meta/v1 `Status`: reason, message, details.retryAfterSeconds). */
export function errorOfAnswer(answer: Answer): ApiError {
  const parsed = parseJson(answer.text);
  const status = parsed.tag === 'ok' ? parsed.value : undefined;
  const seconds = numberField(objectField(status, 'details'), 'retryAfterSeconds');
  const retryAfterMs = retryAfterOf(answer.headers) ?? (seconds === undefined ? undefined : seconds * 1000);
  return {
    status: answer.status,
    reason: textField(status, 'reason') ?? `HTTP ${answer.status}`,
    message: textField(status, 'message') ?? shorten(answer.text),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** The error of a Status object that came inside a watch. */
export function errorOfStatus(status: unknown): ApiError {
  const seconds = numberField(objectField(status, 'details'), 'retryAfterSeconds');
  return {
    status: numberField(status, 'code') ?? 500,
    reason: textField(status, 'reason') ?? 'Unknown',
    message: textField(status, 'message') ?? 'the watch ended with an error that has no message',
    ...(seconds !== undefined && { retryAfterMs: seconds * 1000 }),
  };
}

/** There was no answer. */
export function noAnswer(message: string): ApiError {
  return { status: 0, reason: 'NoAnswer', message };
}

/** The delay that a Retry-After header asks for; the API server sends whole seconds. */
export function retryAfterOf(headers: Readonly<Record<string, string>>): number | undefined {
  const value = headers['retry-after'];
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) * 1000 : undefined;
}

/**
 * True for the 422 of a JSON patch whose `test` failed. The API server gives an invalid object a list of causes, and a
 * patch that does not apply none.
 */
export function isFailedTest(answer: Answer): boolean {
  const parsed = parseJson(answer.text);
  if (answer.status !== 422 || parsed.tag !== 'ok') return false;
  const { causes } = objectField(parsed.value, 'details');
  const list: readonly unknown[] = Array.isArray(causes) ? causes : [];
  return list.every((cause) => isObject(cause) && cause.reason === 'UnexpectedServerResponse');
}

function shorten(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length <= LONGEST_FOREIGN_TEXT ? line : `${line.slice(0, LONGEST_FOREIGN_TEXT)}...`;
}
