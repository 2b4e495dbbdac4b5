import type { SimRequest } from '../base/http.ts';

/** A request, taken apart. */
export interface Call {
  readonly method: string;
  readonly pathname: string;
  readonly query: URLSearchParams;
  readonly headers: SimRequest['headers'];
  readonly body: string;
  readonly signal: AbortSignal;
}

/** Takes a request apart. */
export function toCall(request: SimRequest, signal: AbortSignal): Call {
  const mark = request.path.indexOf('?');
  const pathname = mark === -1 ? request.path : request.path.slice(0, mark);
  const query = new URLSearchParams(mark === -1 ? '' : request.path.slice(mark + 1));
  return { method: request.method, pathname, query, headers: request.headers, body: request.body ?? '', signal };
}

/** True for `?<name>=true` and `?<name>=1`. */
export function flag(call: Call, name: string): boolean {
  const value = call.query.get(name);
  return value === 'true' || value === '1';
}

/** True when the client wants to know what a write would do. */
export function isDryRun(call: Call): boolean {
  return call.query.getAll('dryRun').includes('All');
}
