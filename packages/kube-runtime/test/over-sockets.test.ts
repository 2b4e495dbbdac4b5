import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock } from '@cro/clock';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readText } from '../src/client/request.ts';
import { HttpsTransport, KubeClient, watchKind, type Cache } from '../src/index.ts';
import { authority } from './support/certificates.ts';
import { seeded } from './support/random.ts';
import { TinyServer } from './support/tiny-server.ts';
import { tlsServer } from './support/tls-server.ts';
import { widget, widgets, type Widget } from './support/widget.ts';

const tiny = new TinyServer();
const stop = new AbortController();
let server: Awaited<ReturnType<typeof tlsServer>>;
let transport: HttpsTransport;

/** The tiny server behind a socket. */
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => {
    gone.abort();
  });
  const method = request.method as 'GET';
  const body = await readText(request);
  const answer = await tiny.handle({ method, path: request.url ?? '', headers: {}, body }, gone.signal);
  response.writeHead(answer.status, answer.headers);
  if (typeof answer.body === 'string') {
    response.end(answer.body);
    return;
  }
  response.flushHeaders();
  for await (const chunk of answer.body) response.write(chunk);
  response.end();
}

beforeAll(async () => {
  const ca = await authority('test');
  server = await tlsServer(await ca.issue('server'), (request, response) => {
    void serve(request, response);
  });
  const credentials = { current: () => Promise.resolve({ ca: ca.cert, headers: {} }), refused: () => undefined };
  transport = new HttpsTransport({ server: server.url, credentials });
});

afterAll(async () => {
  stop.abort();
  transport.close();
  await server.close();
});

/** Resolves as soon as the cache holds the object. */
function shows(cache: Cache<Widget>, name: string): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (cache.get(name, 'default') === undefined) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = cache.subscribe(check);
    check();
  });
}

it('follows a server over TLS, through a connection that is reset, and shares its connections', async () => {
  for (let at = 0; at < 1_100; at += 1) tiny.history.create('widgets', 'default', widget(`w${at}`));
  const client = new KubeClient({ transport, clock: systemClock, random: seeded(1) });
  const options = { client, transport, clock: systemClock, random: seeded(1), signal: stop.signal };
  const cache = watchKind(widgets, options);
  await cache.whenSynced(stop.signal);
  expect(cache.list()).toHaveLength(1_100);

  tiny.history.create('widgets', 'default', widget('by-watch'));
  await shows(cache, 'by-watch');

  server.resetAll();
  tiny.history.create('widgets', 'default', widget('after-reset'));
  await shows(cache, 'after-reset');
  expect(tiny.requests.filter((request) => request.path.includes('limit=')).length).toBe(3);

  const before = server.connections();
  for (let at = 0; at < 20; at += 1) await client.create(widgets, widget(`own${at}`));
  expect(cache.list()).toHaveLength(1_122);
  expect(server.connections() - before).toBeLessThanOrEqual(1);
});
