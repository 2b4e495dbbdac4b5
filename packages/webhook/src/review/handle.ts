import type { RuledRequest } from '../rules.ts';
import { admissionReview, parseAdmissionReview } from './admission-review.ts';
import { review } from './review.ts';

/** Where an API server asks; the path that the Go operator serves. */
export const WEBHOOK_PATH = '/validate-cro-hpsys-ibm-ie-com-v1alpha1-composabilityrequest';

/** One HTTP request, whole. `path` may have a query, header names are lower case. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

/** One HTTP answer, whole. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Answers admission calls. Without I/O: the same function serves a socket and a simulation. */
export type AdmissionHandler = (request: HttpRequest) => HttpAnswer;

/** Makes the handler. `listRequests` answers every ComposabilityRequest there is, as the caller's cache knows them. */
export function admissionHandler(listRequests: () => readonly RuledRequest[]): AdmissionHandler {
  return ({ method, path, headers, body }) => {
    if (path.split('?', 1)[0] !== WEBHOOK_PATH) return text(404, `not found; accepted: ${WEBHOOK_PATH}`);
    if (method !== 'POST') return text(405, `found ${method}, accepted: POST`, { allow: 'POST' });
    const type = String(headers['content-type'] ?? '');
    if (type.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json') {
      return text(415, `content-type: found ${JSON.stringify(type)}, accepted: application/json`);
    }
    const parsed = parseBody(body);
    if (parsed.tag === 'malformed') return text(400, `malformed AdmissionReview: ${parsed.message}`);
    const answer = JSON.stringify(admissionReview(review(parsed.object.request, listRequests)));
    return { status: 200, headers: { 'content-type': 'application/json' }, body: answer };
  };
}

function parseBody(body: string): ReturnType<typeof parseAdmissionReview> {
  try {
    return parseAdmissionReview(JSON.parse(body));
  } catch (error) {
    return { tag: 'malformed', message: `the body is not JSON: ${error instanceof Error ? error.message : ''}` };
  }
}

function text(status: number, body: string, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body: `${body}\n` };
}
