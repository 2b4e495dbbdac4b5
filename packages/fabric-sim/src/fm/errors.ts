import type { Reply } from '../core/http.ts';

/**
 * FM's error frame: `{status, detail: {code, message, data}}`. The codes of the product are not public beyond their
 * beginning, `E02`; these end in the HTTP status.
 */
export function fmError(status: number, message: string): Reply {
  return {
    tag: 'json',
    status,
    body: { status, detail: { code: `E02${String(status).padStart(4, '0')}`, message, data: {} } },
  };
}
