import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@cro/clock';
import { HttpsTransport, KubeClient, type Credentials, type Transport } from '../src/index.ts';
import { widgets } from './support/widget.ts';
import { readText } from '../src/client/request.ts';
import { authority, type Pem } from './support/certificates.ts';
import { tlsServer } from './support/tls-server.ts';
import type { TLSSocket } from 'node:tls';

type Server = Awaited<ReturnType<typeof tlsServer>>;

let ca: Awaited<ReturnType<typeof authority>>;
let serving: Pem;
let server: Server;
/** Resolves when the server sees that the client is gone. */
let hungUp: Promise<void>;

const never = new AbortController().signal;

beforeAll(async () => {
  ca = await authority('right');
  serving = await ca.issue('server');
  let onHungUp: () => void = () => undefined;
  hungUp = new Promise((resolve) => {
    onHungUp = resolve;
  });
  const options = { ...serving, ca: ca.cert, requestCert: true, rejectUnauthorized: false };
  server = await tlsServer(options, (request, response) => {
    const { url, method, headers, socket } = request;
    if (url === '/stream') {
      response.write('first\n');
      response.on('close', onHungUp);
      return;
    }
    if (url === '/break') {
      response.writeHead(200, { 'content-length': '100' });
      response.write('some');
      setImmediate(() => socket.destroy());
      return;
    }
    if (url === '/refused') response.statusCode = 401;
    const peer = (socket as TLSSocket).getPeerCertificate().subject as { CN?: string } | undefined;
    void readText(request).then((body) => {
      response.setHeader('X-Thing', 'a');
      response.end(JSON.stringify({ url, method, auth: headers.authorization, body, peer: peer?.CN }));
    });
  });
});

afterAll(() => server.close());

const open: HttpsTransport[] = [];
afterEach(() => {
  for (const transport of open.splice(0)) transport.close();
});

function transportWith(credentials: () => Credentials, url = server.url, refused: () => void = () => undefined) {
  const transport = new HttpsTransport({
    server: url,
    credentials: { current: () => Promise.resolve(credentials()), refused },
  });
  open.push(transport);
  return transport;
}

async function get(transport: Transport, path: string): Promise<unknown> {
  const response = await transport.send({ method: 'GET', path }, never);
  return JSON.parse(await readText(response.body));
}

describe('HttpsTransport', () => {
  it('sends requests and their bodies, under the path of the server', async () => {
    const transport = transportWith(
      () => ({ ca: ca.cert, headers: { authorization: 'Bearer t' } }),
      new URL('/prefix/', server.url),
    );
    const response = await transport.send({ method: 'DELETE', path: '/a?b=c', body: '{"x":"ü"}' }, never);
    expect(response.status).toBe(200);
    expect(response.headers['x-thing']).toBe('a');
    expect(JSON.parse(await readText(response.body))).toMatchObject({
      url: '/prefix/a?b=c',
      method: 'DELETE',
      auth: 'Bearer t',
      body: '{"x":"ü"}',
    });
  });

  it('makes many requests over one connection', async () => {
    const before = server.connections();
    const transport = transportWith(() => ({ ca: ca.cert, headers: {} }));
    for (let at = 0; at < 50; at += 1) await get(transport, '/');
    expect(server.connections() - before).toBe(1);
  });

  it('refuses a certificate of another CA, and says so', async () => {
    const other = await authority('wrong');
    const transport = transportWith(() => ({ ca: other.cert, headers: {} }));
    await expect(get(transport, '/')).rejects.toThrow(
      /^https:\/\/127\.0\.0\.1:\d+: the server's certificate is not trusted: .*certificate-authority/,
    );
  });

  it('refuses a certificate for another name', async () => {
    const transport = transportWith(() => ({ ca: ca.cert, servername: 'kubernetes.default', headers: {} }));
    await expect(get(transport, '/')).rejects.toThrow('ERR_TLS_CERT_ALTNAME_INVALID');
  });

  it('says where nobody listens', async () => {
    const gone = await tlsServer(serving, () => undefined);
    await gone.close();
    const transport = transportWith(() => ({ ca: ca.cert, headers: {} }), gone.url);
    await expect(get(transport, '/')).rejects.toThrow(/^https:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/);
  });

  it('says it once, also in the outcome of a client', async () => {
    const gone = await tlsServer(serving, () => undefined);
    await gone.close();
    const transport = transportWith(() => ({ ca: ca.cert, headers: {} }), gone.url);
    const outcome = await new KubeClient({ transport, clock: systemClock, random: () => 0.5 }).get(widgets, {
      name: 'a',
      namespace: 'b',
    });
    expect(outcome).toMatchObject({ tag: 'failed', error: { status: 0 } });
    expect(JSON.stringify(outcome).match(/ECONNREFUSED/g)).toHaveLength(1);
  });

  it('ends a body that is being read when the signal aborts, and the connection with it', async () => {
    const transport = transportWith(() => ({ ca: ca.cert, headers: {} }));
    const stop = new AbortController();
    const response = await transport.send({ method: 'GET', path: '/stream' }, stop.signal);
    const chunks = response.body[Symbol.asyncIterator]();
    expect(Buffer.from((await chunks.next()).value).toString()).toBe('first\n');
    const next = chunks.next();
    stop.abort(new Error('enough'));
    await expect(next).rejects.toThrow();
    await hungUp;
  });

  it('does not send when the signal has aborted', async () => {
    const before = server.connections();
    const transport = transportWith(() => ({ ca: ca.cert, headers: {} }));
    await expect(transport.send({ method: 'GET', path: '/' }, AbortSignal.abort(new Error('over')))).rejects.toThrow(
      'over',
    );
    expect(server.connections()).toBe(before);
  });

  it('does not keep another one apart waiting, whose connections are its own', async () => {
    const full = transportWith(() => ({ ca: ca.cert, headers: { authorization: 'Bearer x' } }));
    const stop = new AbortController();
    // Each stream holds a connection, and this is more than there may be.
    const streams = Array.from({ length: 130 }, () =>
      full.send({ method: 'GET', path: '/stream' }, stop.signal).catch(() => undefined),
    );
    const apart = full.apart();
    open.push(apart);
    expect(await get(apart, '/')).toMatchObject({ auth: 'Bearer x' });
    stop.abort(new Error('over'));
    await Promise.all(streams);
  });

  it('reports a body that breaks off', async () => {
    const transport = transportWith(() => ({ ca: ca.cert, headers: {} }));
    const response = await transport.send({ method: 'GET', path: '/break' }, never);
    await expect(readText(response.body)).rejects.toThrow();
  });

  it('takes a new client certificate into use', async () => {
    let client = await ca.issue('first');
    const transport = transportWith(() => ({ ca: ca.cert, ...client, headers: {} }));
    expect(await get(transport, '/')).toMatchObject({ peer: 'first' });
    client = await ca.issue('second');
    expect(await get(transport, '/')).toMatchObject({ peer: 'second' });
  });

  it('asks for new credentials after a 401', async () => {
    let refusals = 0;
    const transport = transportWith(
      () => ({ ca: ca.cert, headers: {} }),
      server.url,
      () => {
        refusals += 1;
      },
    );
    await get(transport, '/');
    expect(refusals).toBe(0);
    await get(transport, '/refused');
    expect(refusals).toBe(1);
  });
});
