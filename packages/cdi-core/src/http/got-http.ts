import got, { type Progress } from 'got';
import type { Http, HttpRequest, HttpResponse } from '../contract/host.ts';
import { Agents } from './agents.ts';
import { classify } from './classify.ts';
import { isSendError, refuseAborted, SendError } from './send-error.ts';

/** Settings of {@link gotHttp}. */
export interface GotHttpOptions {
  /** The process's environment: SSL_CERT_FILE and NODE_EXTRA_CA_CERTS are read from it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Largest body of an answer, in bytes; 16 MiB by default. */
  readonly maxBodyBytes?: number;
  /** How long an idle connection is kept, in milliseconds; 4,000 by default. */
  readonly idleMs?: number;
}

/** `Http` over real sockets. `close` ends its connections; do it once, when nothing is in flight. */
export interface GotHttp extends Http {
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 16 * 2 ** 20;

/**
 * The production `Http`: one keep-alive pool for each set of trusted CAs, HTTP/1.1, no retry, no redirect, no timeout
 * of its own, and TLS always verified. Rejects with a {@link SendError} whose message says what to do.
 */
export function gotHttp(options: GotHttpOptions): GotHttp {
  const agents = new Agents(options.env, options.idleMs);
  const maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES;
  return {
    async send(request, signal) {
      const target = URL.parse(request.url);
      if (target === null)
        throw new SendError('refused', false, 'the URL is not valid: check host and port of the endpoint');
      const { protocol, origin } = target;
      refuseAborted(signal);
      const https = protocol === 'https:' ? await agents.tls(request.caFile) : undefined;
      try {
        const agent = https === undefined ? { http: agents.plain } : { https };
        return await sendBounded(request, agent, signal, maxBodyBytes);
      } catch (error) {
        if (isSendError(error)) throw error;
        if (signal.aborted) throw new SendError('aborted', true, `no answer from ${origin} in time`, error);
        throw classify(error, origin);
      }
    },
    close: () => agents.close(),
  };
}

type Pools = { readonly http: Agents['plain'] } | { readonly https: Awaited<ReturnType<Agents['tls']>> };

async function sendBounded(
  request: HttpRequest,
  agent: Pools,
  signal: AbortSignal,
  maxBodyBytes: number,
): Promise<HttpResponse> {
  const tooLarge = new AbortController();
  const call = got(request.url, {
    method: request.method,
    headers: { 'user-agent': 'cro', ...request.headers },
    ...(request.body === undefined ? {} : { body: request.body }),
    agent,
    signal: AbortSignal.any([signal, tooLarge.signal]),
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    responseType: 'text',
  });
  void call.on('downloadProgress', ({ transferred }: Progress) => {
    if (transferred > maxBodyBytes) tooLarge.abort();
  });
  const response = await call.catch((error: unknown) => {
    if (!tooLarge.signal.aborted) throw error;
    throw new SendError('broken', true, `the answer is larger than ${maxBodyBytes} bytes`, error);
  });
  return { status: response.statusCode, headers: flat(response.headers), body: response.body };
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
