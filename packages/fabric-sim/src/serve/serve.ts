import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { systemClock, type Clock } from '@cro/clock';
import type { FabricCore } from '../core/http.ts';
import { makeCertificate } from './certificate.ts';
import { answerOver } from './exchange.ts';

/** Where to listen. */
export interface ServeOptions {
  /** 0 (any free port) unless given. */
  readonly port?: number;
  /** `127.0.0.1` unless given. The certificate is made out for it. */
  readonly host?: string;
  /** Dates the certificate. It is the wall clock of those who connect, not that of the simulated fabric. */
  readonly clock?: Clock;
}

/** A server that listens. */
export interface Served {
  /** `https://host:port`. */
  readonly url: string;
  /** `host:port`, as FTI_CDI_ENDPOINT takes it. */
  readonly endpoint: string;
  /** The CA that clients have to trust, in PEM. */
  readonly caPem: string;
  /** Closes the server and its connections; calls that are being answered see their client hang up. */
  close(): Promise<void>;
}

/** Puts a core behind HTTPS, with a certificate of its own. */
export async function serve(core: FabricCore, options: ServeOptions = {}): Promise<Served> {
  const { port = 0, host = '127.0.0.1', clock = systemClock } = options;
  const { key, cert, caPem } = await makeCertificate(host, clock.now());
  // An idle connection that is closed as a call comes leaves that call in doubt: trouble comes when it is asked for, not by chance.
  const server = createServer({ key, cert, keepAliveTimeout: 0 }, (request, response) => {
    answerOver(core, request, response);
  });
  const address = await listen(server, port, host);
  const endpoint = `${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  return { url: `https://${endpoint}`, endpoint, caPem, close: () => close(server) };
}

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error(`no port was bound on ${host}`));
      else resolve(address);
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => {
      if (error === undefined) resolve();
      else reject(error);
    });
    server.closeAllConnections();
  });
}
