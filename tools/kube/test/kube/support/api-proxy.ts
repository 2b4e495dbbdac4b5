import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { Readable, type Duplex } from 'node:stream';
import type { TransportRequest, TransportResponse } from '@cro/kube-runtime';
import type { Cluster } from '@cro/kube-runtime/kubeconfig';
import { createAuthority } from '../../../src/plane/certificates.ts';
import { Dropped, type Gate } from './gate.ts';
import { apiLabel } from './labels.ts';
import { passUpgrade } from './proxy-upgrade.ts';

/** What a proxy stands in front of. */
export interface ProxyOptions {
  readonly gate: Gate;
  /** To the real API server. */
  readonly transport: Cluster['transport'];
  /** Whom every request is made for, by a transport that may act for others. Default: whom the transport speaks for. */
  readonly user?: string;
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

/** Starts a proxy on loopback before an API server: requests go through the gate, commands on nodes too. */
export async function startApiProxy({ gate, transport, user, now }: ProxyOptions): Promise<ApiProxy> {
  const authority = await createAuthority(now);
  const { certificate, key } = await authority.serving('api-proxy');
  const watches = new Set<ServerResponse>();
  const server = createServer({ cert: certificate, key }, (incoming, outgoing) => {
    exchange({ gate, transport, user, watches }, incoming, outgoing).catch(() => outgoing.destroy());
  });
  const upgraded = new Set<Duplex>();
  server.on('upgrade', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    upgraded.add(client);
    client.unshift(head);
    client.once('close', () => upgraded.delete(client));
    passUpgrade({ gate, transport, user }, incoming, client).catch(() => client.destroy());
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
      for (const client of upgraded) client.destroy();
      await closed;
    },
  };
}

interface Passing extends Pick<ProxyOptions, 'gate' | 'transport'> {
  readonly user: string | undefined;
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
  const headers = { ...request.headers, ...(user !== undefined && { 'impersonate-user': user }) };
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
