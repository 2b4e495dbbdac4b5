import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gotHttp } from '@cro/cdi-core';
import { expect, onTestFinished, test } from 'vitest';
import { never } from '../support/server.ts';

test('calls one after the other share one connection', async () => {
  let connections = 0;
  const server = createServer((_, response) => response.end('{}'));
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const http = gotHttp({ env: {} });
  onTestFinished(async () => {
    await http.close();
    server.close();
  });
  for (let call = 0; call < 5; call += 1) {
    await http.send({ method: 'GET', url: `http://127.0.0.1:${port}/` }, never);
  }
  expect(connections).toBe(1);
});

test('an idle connection is closed before the server would do so, and a call that takes longer is not', async () => {
  const closed: Promise<unknown>[] = [];
  const server = createServer({ keepAliveTimeout: 0 }, (_, response) => setTimeout(() => response.end('{}'), 300));
  server.on('connection', (socket) => closed.push(once(socket, 'close')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const http = gotHttp({ env: {}, idleMs: 50 });
  onTestFinished(async () => {
    await http.close();
    server.close();
  });
  const answer = await http.send({ method: 'GET', url: `http://127.0.0.1:${port}/` }, never);
  expect(answer.status).toBe(200);
  expect(closed).toHaveLength(1);
  // Nobody but the client ends it: the server keeps it for ever.
  await Promise.all(closed);
});

test('a port that speaks no TLS is told as such', async () => {
  const server = createServer((_, response) => response.end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const http = gotHttp({ env: {} });
  onTestFinished(async () => {
    await http.close();
    server.close();
  });
  const sent = http.send({ method: 'GET', url: `https://127.0.0.1:${port}/` }, never);
  await expect(sent).rejects.toMatchObject({ fault: 'tls', sent: false });
  await expect(sent).rejects.toThrow('check that the port of the endpoint speaks HTTPS');
});
