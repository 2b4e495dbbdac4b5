import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { Readable } from 'node:stream';
import type { Transport, TransportRequest, TransportResponse } from '@cro/kube-runtime';
import { createAuthority } from '../../../src/plane/certificates.ts';
import { Dropped, type Gate } from './gate.ts';
import { apiLabel } from './labels.ts';

/** What a proxy stands in front of. */
export interface ProxyOptions {
  readonly gate: Gate;
  /** To the real API server, as somebody who may act for others. */
  readonly transport: Transport;
  /** Whom every request is made for. */
  readonly user: string;
  /** Wall clock, in milliseconds since 1970. */
  readonly now: number;
}

/** A proxy that listens. */
export interface ApiProxy {
  /** The text of a kubeconfig file for it. */
  readonly kubeconfig: string;
  /** Cuts the connections of all watches, as a broken network does. Answers how many. */
  cutWatches(): number;
  close(): Promise<void>;
}

/** Starts a proxy on loopback before an API server: requests go through the gate. It knows no upgrades. */
export async function startApiProxy({ gate, transport, user, now }: ProxyOptions): Promise<ApiProxy> {
  const authority = await createAuthority(now);
  const { certificate, key } = await authority.serving('api-proxy');
  const watches = new Set<ServerResponse>();
  const server = createServer({ cert: certificate, key }, (incoming, outgoing) => {
    exchange({ gate, transport, user, watches }, incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    kubeconfig: kubeconfigOf(urlOf(server), authority.certificate),
    cutWatches() {
      const cut = [...watches];
      for (const watch of cut) watch.destroy();
      return cut.length;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Passing extends Omit<ProxyOptions, 'now'> {
  readonly watches: Set<ServerResponse>;
}

async function exchange({ gate, transport, user, watches }: Passing, incoming: IncomingMessage, out: ServerResponse) {
  const request = { ...(await requestOf(incoming)), path: incoming.url ?? '/' };
  const label = apiLabel(request.method, request.path);
  const end = new AbortController();
  if (label.startsWith('WATCH ')) {
    watches.add(out);
    out.once('close', () => {
      watches.delete(out);
      end.abort(new Dropped('the client has gone'));
    });
  }
  const headers = { ...request.headers, 'impersonate-user': user };
  // What was sent once arrives, whatever becomes of the one that sent it: only watches end with their client.
  const send = gate.turnsAway(label) ? tooMany : () => transport.send({ ...request, headers }, end.signal);
  const answer = await gate.pass(label, send);
  gate.answered(label, answer.status);
  out.writeHead(answer.status, answer.headers);
  out.flushHeaders();
  for await (const chunk of answer.body) out.write(chunk);
  out.end();
}

/** The answer of a server that has too much to do, as kube-apiserver gives it. */
function tooMany(): Promise<TransportResponse> {
  const text = 'Too many requests, please try again later.\n';
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '1' };
  return Promise.resolve({ status: 429, headers, body: Readable.from([Buffer.from(text)]) });
}

async function requestOf(incoming: IncomingMessage): Promise<Omit<TransportRequest, 'path'>> {
  let body = '';
  for await (const chunk of incoming.setEncoding('utf8')) body += String(chunk);
  const { accept, 'content-type': type, 'user-agent': agent } = incoming.headers;
  const given = { accept, 'content-type': type, 'user-agent': agent };
  const headers = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const method = incoming.method as TransportRequest['method'];
  return { method, headers: Object.fromEntries(headers) as Record<string, string>, ...(body !== '' && { body }) };
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was bound on 127.0.0.1');
  return `https://127.0.0.1:${address.port}`;
}

function kubeconfigOf(server: string, ca: string): string {
  const name = 'cro-proxy';
  const cluster = { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster }],
    // The proxy asks for no credentials.
    users: [{ name, user: {} }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
    'current-context': name,
  });
}
