import { statusOf } from '../base/failures.ts';
import type { SimResponse } from '../base/http.ts';
import type { JsonObject } from '../base/json.ts';
import type { Failure } from '../base/result.ts';

/** An answer in JSON. Each warning becomes a Warning header, which kubectl prints. */
export function jsonResponse(status: number, body: JsonObject, warnings: readonly string[] = []): SimResponse {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (warnings.length > 0) headers['warning'] = warnings.map(warningValue).join(', ');
  return { status, headers, body: `${JSON.stringify(body)}\n` };
}

/** A refusal as a Status object. */
export function failureResponse(failure: Failure): SimResponse {
  const response = jsonResponse(failure.code, statusOf(failure), failure.warnings);
  if (failure.retryAfterSeconds === undefined) return response;
  return { ...response, headers: { ...response.headers, 'retry-after': String(failure.retryAfterSeconds) } };
}

/** Plain text. */
export function textResponse(status: number, body: string): SimResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}

/** What the API server answers where no resource is. */
export function pageNotFound(): SimResponse {
  return textResponse(404, '404 page not found\n');
}

/** RFC 7234, 5.5: code, agent and quoted text. */
function warningValue(text: string): string {
  const printable = text.replaceAll(/[^\x20-\x7e]/gu, ' ').replaceAll(/["\\]/gu, String.raw`\$&`);
  return `299 - "${printable}"`;
}
