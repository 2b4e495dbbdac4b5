import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Clock } from '@cro/clock';
import type { Log } from '@cro/kube-runtime';
import type { PemPair } from './certificates/pem-pair.ts';
import type { AdmissionHandler, HttpAnswer } from './review/handle.ts';

/** Both objects of a review are at most 3 MiB each: the API server's limit for a request. */
const LARGEST_BODY = 8 * 1024 * 1024;

/** API servers give a webhook at most 30 s; what is not answered by then, nobody waits for. */
const CLOSE_AFTER_MS = 30_000;

/** What the server needs. */
export interface ServerOptions {
  /** Address to listen on; all of them by default. */
  readonly host?: string;
  /** 0: any free port. */
  readonly port: number;
  readonly handle: AdmissionHandler;
  readonly clock: Clock;
  readonly log: Log;
}

/** HTTPS around an admission handler. Until `use` is called, no handshake succeeds. */
export class AdmissionServer {
  readonly #server: Server;
  readonly #options: ServerOptions;

  private constructor(options: ServerOptions) {
    this.#options = options;
    this.#server = createServer({ minVersion: 'TLSv1.2' }, (request, response) => {
      void this.#answer(request, response);
    });
    this.#server.on('tlsClientError', ({ message }) => {
      options.log.debug('webhook: handshake failed', { message });
    });
  }

  /** Listens. Rejects when the address cannot be had. */
  static async listen(options: ServerOptions): Promise<AdmissionServer> {
    const { host, port } = options;
    const admission = new AdmissionServer(options);
    await new Promise<void>((resolve, reject) => {
      admission.#server.once('error', (error) => {
        reject(new Error(`the webhook cannot listen on ${host ?? ''}:${port}: ${error.message}`));
      });
      admission.#server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve);
    });
    admission.#server.on('error', ({ message }) => {
      options.log.error('webhook server', { message });
    });
    return admission;
  }

  /** False once it closes. */
  get listening(): boolean {
    return this.#server.listening;
  }

  /** The port that it listens on. */
  get port(): number {
    return portOf(this.#server.address());
  }

  /** Takes a certificate into use. Connections that are open go on with the one they have. */
  use({ certificate, key }: PemPair): void {
    this.#server.setSecureContext({ cert: certificate, key, minVersion: 'TLSv1.2' });
  }

  /** Takes no new connection, answers what was asked, then ends. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => {
        resolve();
      });
    });
    const cancel = this.#options.clock.after(CLOSE_AFTER_MS, () => {
      this.#server.closeAllConnections();
    });
    this.#server.closeIdleConnections();
    await closed;
    cancel();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await readBody(request);
      send(response, body === undefined ? tooLarge : this.#handle(request, body), !this.#server.listening);
    } catch (error) {
      // The client went away in the middle of its request: there is nobody to answer.
      this.#options.log.debug('webhook: request broken off', {
        message: error instanceof Error ? error.message : String(error),
      });
      response.destroy();
    }
  }

  #handle({ method = '', url = '', headers }: IncomingMessage, body: string): HttpAnswer {
    try {
      return this.#options.handle({ method, path: url, headers, body });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#options.log.error('webhook: the handler failed', { message });
      return { status: 500, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'internal error\n' };
    }
  }
}

const tooLarge: HttpAnswer = {
  status: 413,
  headers: { 'content-type': 'text/plain; charset=utf-8', connection: 'close' },
  body: `the body is too large, accepted: ${LARGEST_BODY} bytes\n`,
};

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Not destroyed when it is too large: the answer still has to go out on the same socket.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    const bytes: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    size += bytes.length;
    if (size > LARGEST_BODY) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A server that is closing says so, or a kept-alive connection would hold it up. */
function send(response: ServerResponse, { status, headers, body }: HttpAnswer, closing: boolean): void {
  response.writeHead(status, { ...headers, ...(closing ? { connection: 'close' } : {}) });
  response.end(body);
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('the webhook does not listen');
  return address.port;
}
