import { reasonOf } from '@cro/clock';
import type { Transport, TransportRequest } from './transport.ts';

/** A server without a socket: what a simulated API server offers. */
export type InProcessHandle = (
  request: {
    readonly method: TransportRequest['method'];
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  },
  signal: AbortSignal,
) => Promise<{
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | AsyncIterable<string>;
}>;

/** A transport to a server in the same process. Aborting ends a request and its body, as on a socket. */
export function inProcessTransport(handle: InProcessHandle, host = 'in-process'): Transport {
  return {
    host,
    async send({ method, path, headers = {}, body }, signal) {
      signal.throwIfAborted();
      const request = { method, path, headers, ...(body !== undefined && { body }) };
      const response = await orAborted(handle(request, signal), signal);
      const { status, headers: received } = response;
      return { status, headers: lowerCase(received), body: bytesOf(response.body, signal) };
    },
  };
}

async function* bytesOf(body: string | AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  if (typeof body === 'string') {
    if (body !== '') yield encoder.encode(body);
    return;
  }
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await orAborted(chunks.next(), signal);
      if (next.done === true) return;
      yield encoder.encode(next.value);
    }
  } finally {
    // Not awaited: a generator that is waiting for its next chunk would answer only after it. What it has to say then
    // comes after the end.
    chunks.return?.().catch(() => undefined);
  }
}

/** What `work` gives, unless the signal aborts first. */
function orAborted<R>(work: Promise<R>, signal: AbortSignal): Promise<R> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(reasonOf(signal));
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', onAbort);
    });
  });
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
