import { createServer, type Server } from 'node:https';
import { once } from 'node:events';
import { createHash, timingSafeEqual } from 'node:crypto';
import { unauthorized } from '../base/failures.ts';
import { newUid } from '../base/identity.ts';
import { failureResponse } from '../api/respond.ts';
import type { KubeSim } from '../core/kube-sim.ts';
import { createExecSockets, refuse } from './exec-socket.ts';
import { kubeconfigOf } from './kubeconfig.ts';
import { respondOverHttp } from './respond-over-http.ts';

/** How the socket is opened. */
export interface ServeOptions {
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** The bearer token that clients must show. By default one is drawn from the simulator's random numbers. */
  readonly token?: string;
}

/** A server that listens. */
export interface Serving {
  readonly url: string;
  readonly port: number;
  /** The authority that signed the server's certificate. */
  readonly caPem: string;
  readonly token: string;
  /** The text of a kubeconfig file for this server. */
  readonly kubeconfig: string;
  /** Stops listening and cuts all connections. */
  close(): Promise<void>;
}

/** Opens a socket on 127.0.0.1 for a simulator: TLS with a certificate of its own, and a bearer token. */
export async function serve(sim: KubeSim, options: ServeOptions = {}): Promise<Serving> {
  const token = options.token ?? newUid(sim.random);
  // Loaded here, so that those who open no socket do not wait for a library of certificates.
  const { createCertificate } = await import('./certificate.ts');
  const { ca, certificate, key } = await createCertificate(sim.clock.now(), ['localhost', 'kubernetes.default.svc']);
  const server = createServer({ key, cert: certificate, keepAliveTimeout: 0 });
  // The scheme in any case, as kube-apiserver takes it: the Python client writes it small.
  const allowed = (header = '') => /^bearer /i.test(header) && sameText(header.slice('bearer '.length), token);
  server.on('request', (incoming, outgoing) => {
    const handle: typeof sim.handle = allowed(incoming.headers.authorization)
      ? sim.handle
      : () => Promise.resolve(failureResponse(unauthorized()));
    void respondOverHttp(handle, incoming, outgoing);
  });
  const upgrade = createExecSockets(sim);
  server.on('upgrade', (incoming, socket, head) => {
    if (allowed(incoming.headers.authorization)) upgrade(incoming, socket, head);
    else refuse(socket, failureResponse(unauthorized()));
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  const url = `https://127.0.0.1:${String(port)}`;
  return { url, port, caPem: ca, token, kubeconfig: kubeconfigOf(url, ca, token), close: () => close(server) };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/** Compares in a time that does not tell how much of the token was right. */
function sameText(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
