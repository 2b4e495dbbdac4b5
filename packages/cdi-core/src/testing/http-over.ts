import type { Http } from '../contract/host.ts';
import { refuseAborted, SendError } from '../http/send-error.ts';

/** A server without a socket, as the simulators have it: `path` carries the query. */
export interface RequestHandler {
  handle(
    request: {
      readonly method: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string | undefined>>;
      readonly body?: string;
    },
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string }>;
}

/**
 * An `Http` that hands each request to a handler in this process: no socket, no real time. `origin` (`https://fm.test`)
 * is the only place there is; what the handler throws is a broken connection.
 */
export function httpOver(origin: string, handler: RequestHandler): Http {
  return {
    async send({ method, url, headers = {}, body }, signal) {
      const target = new URL(url);
      if (target.origin !== origin) {
        throw new SendError(
          'dns',
          false,
          `the name in ${target.origin} cannot be resolved: this test knows ${origin} alone`,
        );
      }
      refuseAborted(signal);
      const path = `${target.pathname}${target.search}`;
      const request = { method, path, headers, ...(body === undefined ? {} : { body }) };
      try {
        return await handler.handle(request, signal);
      } catch (error) {
        if (signal.aborted) throw new SendError('aborted', true, `no answer from ${origin} in time`, error);
        throw new SendError('broken', true, `the connection to ${origin} broke before there was an answer`, error);
      }
    },
  };
}
