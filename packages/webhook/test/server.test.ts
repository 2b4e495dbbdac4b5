import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { systemClock, type Clock } from '@cro/clock';
import { VirtualClock } from '@cro/clock/testing';
import { silentLog } from '@cro/kube-runtime';
import { expect, onTestFinished, test } from 'vitest';
import { mintAuthority, mintServing } from '../src/certificates/mint.ts';
import type { AdmissionHandler } from '../src/index.ts';
import { AdmissionServer } from '../src/server.ts';
import { post } from './support/tls-client.ts';

const echo: AdmissionHandler = ({ method, path, body }) => ({
  status: 200,
  headers: { 'content-type': 'text/plain' },
  body: `${method} ${path} ${body}`,
});

async function start(handle: AdmissionHandler = echo, clock: Clock = systemClock): Promise<AdmissionServer> {
  const options = { host: '127.0.0.1', port: 0, handle, clock, log: silentLog };
  const server = await AdmissionServer.listen(options);
  onTestFinished(async () => {
    if (server.listening) await server.close();
  });
  return server;
}

async function certificate(name: string) {
  const now = systemClock.now();
  const validity = { notBefore: now - 60_000, notAfter: now + 3_600_000 };
  const authority = await mintAuthority(name, validity);
  return { authority, serving: await mintServing(['127.0.0.1'], authority, validity) };
}

test('a new certificate is served to new connections, without a restart', async () => {
  const server = await start();
  const first = await certificate('first');
  const second = await certificate('second');
  await expect(post(server.port, first.authority.certificate, 'x')).rejects.toThrow();
  server.use(first.serving);
  expect(await post(server.port, first.authority.certificate, 'x', { path: '/a?b' })).toMatchObject({
    status: 200,
    body: 'POST /a?b x',
  });
  await expect(post(server.port, second.authority.certificate, 'x')).rejects.toThrow(/certificate/);
  server.use(second.serving);
  expect((await post(server.port, second.authority.certificate, 'x')).status).toBe(200);
  await expect(post(server.port, first.authority.certificate, 'x')).rejects.toThrow(/certificate/);
});

test('a body that no API server sends is refused', async () => {
  const server = await start();
  const { authority, serving } = await certificate('a');
  server.use(serving);
  const small = 'x'.repeat(3 * 1024 * 1024);
  expect((await post(server.port, authority.certificate, small)).body).toHaveLength('POST / '.length + small.length);
  // The server answers and hangs up; the client may see either first.
  const large = await post(server.port, authority.certificate, 'x'.repeat(9 * 1024 * 1024)).then(
    ({ status }) => status,
    (error: NodeJS.ErrnoException) => error.code,
  );
  expect([413, 'EPIPE', 'ECONNRESET']).toContain(large);
});

test('a handler that fails is an internal error, without the details', async () => {
  const server = await start(() => {
    throw new Error('details');
  });
  const { authority, serving } = await certificate('a');
  server.use(serving);
  expect(await post(server.port, authority.certificate, '')).toMatchObject({ status: 500, body: 'internal error\n' });
});

test('TLS 1.1 and plain HTTP get nowhere', async () => {
  const server = await start();
  const { authority, serving } = await certificate('a');
  server.use(serving);
  const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  await expect(post(server.port, authority.certificate, '', old)).rejects.toThrow(/protocol version/);
  const plain = new Promise<string>((resolve) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\n\r\n'));
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      resolve(text);
    });
  });
  expect(await plain).not.toContain('200');
});

test('closing answers what was begun, and takes nothing new', async () => {
  const server = await start();
  const { authority, serving } = await certificate('a');
  server.use(serving);
  const headers = { 'content-type': 'application/json', expect: '100-continue' };
  const options = { host: '127.0.0.1', port: server.port, ca: authority.certificate, method: 'POST', headers };
  const begun = httpsRequest({ ...options, agent: new Agent({ keepAlive: true }) });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    begun.on('response', resolve).on('error', reject);
  });
  begun.flushHeaders();
  await once(begun, 'continue');
  const { port } = server;
  const closed = server.close();
  await expect(post(port, authority.certificate, 'late')).rejects.toThrow(/ECONNREFUSED/);
  begun.end('body');
  const response = await answered;
  expect(response.statusCode).toBe(200);
  expect(response.headers.connection).toBe('close');
  response.resume();
  await closed;
});

test('a client that never ends its request does not hold up closing for ever', async () => {
  const clock = new VirtualClock();
  const server = await start(echo, clock);
  const { authority, serving } = await certificate('a');
  server.use(serving);
  const headers = { expect: '100-continue', 'content-length': 10 };
  const begun = httpsRequest({
    host: '127.0.0.1',
    port: server.port,
    ca: authority.certificate,
    method: 'POST',
    headers,
  });
  const broken = once(begun, 'error');
  begun.flushHeaders();
  await once(begun, 'continue');
  const closed = server.close();
  await clock.advance(30_000);
  await closed;
  expect(String((await broken)[0])).toContain('socket hang up');
});

test('says which address it cannot have', async () => {
  const server = await start();
  const { port } = server;
  await expect(
    AdmissionServer.listen({ host: '127.0.0.1', port, handle: echo, clock: systemClock, log: silentLog }),
  ).rejects.toThrow(`the webhook cannot listen on 127.0.0.1:${port}: listen EADDRINUSE`);
});
