import { internalError } from '../base/failures.ts';
import { isObject, type JsonObject, numberAt, objectAt, parseJson, stringAt, stringsAt } from '../base/json.ts';
import { type Failure, type Result, success } from '../base/result.ts';

/** Reads a webhook's AdmissionReview: its warnings, or why it denied the request. */
export function readVerdict(
  webhook: string,
  uid: string,
  status: number,
  body: string,
): Result<readonly string[]> | undefined {
  if (status !== 200) return undefined;
  const response = objectAt(parseJson(body), 'response');
  if (typeof response['allowed'] !== 'boolean') return undefined;
  if (stringAt(response, 'uid') !== uid) return undefined;
  const warnings = stringsAt(response, 'warnings');
  return response['allowed'] ? success(warnings) : { ...denied(webhook, objectAt(response, 'status')), warnings };
}

/** 500 for an AdmissionReview that answers another request; undefined for all other answers. */
export function misdirected(webhook: string, uid: string, body: string): Failure | undefined {
  const response = objectAt(parseJson(body), 'response');
  const given = stringAt(response, 'uid') ?? '';
  if (typeof response['allowed'] !== 'boolean' || given === uid) return undefined;
  const why = `received invalid webhook response: expected response.uid="${uid}", got ${JSON.stringify(given)}`;
  return internalError(`failed calling webhook "${webhook}": ${why}`);
}

/** The words of the API server (k8s.io/apiserver/pkg/admission/plugin/webhook/errors). */
function denied(webhook: string, status: JsonObject): Failure {
  const by = `admission webhook "${webhook}" denied the request`;
  const message = stringAt(status, 'message') ?? '';
  const reason = stringAt(status, 'reason') ?? '';
  const why = message === '' ? reason : message;
  const code = numberAt(status, 'code') ?? 0;
  const details = status['details'];
  return {
    ok: false,
    code: code < 400 ? 400 : code,
    reason,
    message: why === '' ? `${by} without explanation` : `${by}: ${why}`,
    ...(isObject(details) ? { details } : {}),
  };
}

/** 500: the webhook did not answer, and its failurePolicy is Fail. */
export function callFailed(webhook: string, url: string, why: string): Failure {
  return internalError(`failed calling webhook "${webhook}": failed to call webhook: Post "${url}": ${why}`);
}
