import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { ListenAddress } from '../listen-address.ts';

/** A certificate with its key, both in PEM. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

/** What to answer to GET (and HEAD) of one path. */
export interface Page {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** The pages of a server, by path. A page that throws is answered with 500. */
export type Pages = Readonly<Record<string, () => Page | Promise<Page>>>;

/** A server that listens. */
export interface ListeningServer {
  /** The port, also where the system chose it. */
  readonly port: number;
  /** Takes no more connections, lets answers under way end, and closes what is idle. */
  close(): Promise<void>;
}

/** `failed`: the address is taken or not allowed, in one line. */
export type ListenOutcome =
  | { readonly tag: 'listening'; readonly server: ListeningServer }
  | { readonly tag: 'failed'; readonly message: string };

/** What a server needs. */
export interface HttpServerOptions {
  readonly address: ListenAddress;
  /** HTTPS when given, else plain HTTP. */
  readonly certificate?: ServerCertificate | undefined;
  readonly pages: Pages;
}

/** Starts a small server of read-only pages. */
export function listen({ address, certificate, pages }: HttpServerOptions): Promise<ListenOutcome> {
  const handler = (request: IncomingMessage, response: ServerResponse) => {
    void answer(request, response, pages);
  };
  const limits = { requestTimeout: 10_000, headersTimeout: 5_000, maxHeaderSize: 8_192 };
  const server =
    certificate === undefined
      ? createHttpServer(limits, handler)
      : createHttpsServer({ ...limits, cert: certificate.cert, key: certificate.key }, handler);
  return new Promise((resolve) => {
    server.once('error', (error) => {
      resolve({ tag: 'failed', message: `cannot listen on ${address.host ?? ''}:${address.port}: ${error.message}` });
    });
    server.listen(address, () => {
      const close = () =>
        new Promise<void>((done) => {
          server.close(() => {
            done();
          });
        });
      resolve({ tag: 'listening', server: { port: portOf(server.address()), close } });
    });
  });
}

async function answer(request: IncomingMessage, response: ServerResponse, pages: Pages): Promise<void> {
  const { status, contentType, body } = await pageFor(request, pages);
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status === 405 ? { allow: 'GET, HEAD' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

async function pageFor(request: IncomingMessage, pages: Pages): Promise<Page> {
  const [path = ''] = (request.url ?? '').split('?', 1);
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (page === undefined) return plain(404, 'not found\n');
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'only GET and HEAD\n');
  try {
    return await page();
  } catch (error) {
    return plain(500, `${error instanceof Error ? error.message : String(error)}\n`);
  }
}

/** A page of plain text. */
export function plain(status: number, body: string): Page {
  return { status, contentType: 'text/plain; charset=utf-8', body };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port while it listens');
  return address.port;
}
