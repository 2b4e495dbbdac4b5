import type { Reply } from '../core/http.ts';

/** layout-apply's error body. E40001's message is a list in some versions and a text in others. */
export function applyError(
  status: number,
  code: string,
  message: unknown,
  more: Readonly<Record<string, unknown>> = {},
): Reply {
  return { tag: 'json', status, body: { code, message, ...more } };
}

/** configuration-manager's error body: `details` is a short name of the step. */
export function managerError(status: 400 | 404 | 500, details: string): Reply {
  const code = { 400: 'badRequest', 404: 'notFound', 500: 'internalServerError' }[status];
  const message = {
    400: 'Bad Request. Check the request parameters.',
    404: 'Not Found. Check the request URL.',
    500: 'Internal server error',
  }[status];
  return { tag: 'json', status, body: { code, message, details } };
}

/** hw-control's error body. */
export function hardwareError(status: number, code: string, message: string): Reply {
  return { tag: 'json', status, body: { code, message } };
}
