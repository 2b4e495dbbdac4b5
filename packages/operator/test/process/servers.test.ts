import { Registry, Counter } from 'prom-client';
import { afterEach, describe, expect, test } from 'vitest';
import { listen, type ListenOutcome, type ListeningServer } from '../../src/process/http/http-server.ts';
import { startMetricsServer } from '../../src/process/http/metrics-server.ts';
import { startProbes, type Check } from '../../src/process/http/probes.ts';
import { containing } from './text-matchers.ts';

const ADDRESS = { host: '127.0.0.1', port: 0 };
const open: ListeningServer[] = [];

function listening(outcome: ListenOutcome): ListeningServer {
  if (outcome.tag === 'failed') throw new Error(outcome.message);
  open.push(outcome.server);
  return outcome.server;
}

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    open: () => {
      open();
    },
    opened,
  };
}

async function get(server: ListeningServer, path: string, method = 'GET') {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { method, headers: { connection: 'close' } });
  return { status: answer.status, type: answer.headers.get('content-type'), body: await answer.text() };
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

describe('probes', () => {
  test('tell of each check, and follow it', async () => {
    let leader: string | undefined = 'another process leads';
    const checks: readonly Check[] = [
      { name: 'caches', problem: () => undefined },
      { name: 'leader', problem: () => leader },
    ];
    const server = listening(await startProbes({ address: ADDRESS, live: [], ready: checks }));
    expect(await get(server, '/healthz')).toMatchObject({ status: 200, body: 'healthz check passed\n' });
    expect(await get(server, '/readyz?verbose')).toMatchObject({
      status: 503,
      body: '[+]caches ok\n[-]leader failed: another process leads\nreadyz check failed\n',
    });
    leader = undefined;
    expect(await get(server, '/readyz')).toMatchObject({ status: 200 });
  });

  test('answer to nothing else', async () => {
    const server = listening(await startProbes({ address: ADDRESS, live: [], ready: [] }));
    expect(await get(server, '/')).toMatchObject({ status: 404 });
    expect(await get(server, '/__proto__')).toMatchObject({ status: 404 });
    expect(await get(server, '/healthz', 'POST')).toMatchObject({ status: 405 });
    expect(await get(server, '/healthz', 'HEAD')).toMatchObject({ status: 200, body: '' });
  });

  test('an address that is taken is told in one line', async () => {
    const { port } = listening(await startProbes({ address: ADDRESS, live: [], ready: [] }));
    const second = await startProbes({ address: { host: '127.0.0.1', port }, live: [], ready: [] });
    expect(second).toMatchObject({ tag: 'failed', message: containing(`127.0.0.1:${port}: `) });
  });
});

describe('a server', () => {
  test('answers 500 when a page throws, and lives on', async () => {
    const pages = {
      '/bad': () => {
        throw new Error('broken');
      },
    };
    const server = listening(await listen({ address: ADDRESS, pages }));
    expect(await get(server, '/bad')).toMatchObject({ status: 500, body: 'broken\n' });
    expect(await get(server, '/bad')).toMatchObject({ status: 500 });
  });

  test('lets an answer under way end before it closes', async () => {
    const arrived = gate();
    const go = gate();
    const slow = async () => {
      arrived.open();
      await go.opened;
      return { status: 200, contentType: 'text/plain', body: 'late' };
    };
    const outcome = await listen({ address: ADDRESS, pages: { '/slow': slow } });
    if (outcome.tag === 'failed') throw new Error(outcome.message);
    const answer = get(outcome.server, '/slow');
    await arrived.opened;
    const closed = outcome.server.close();
    go.open();
    expect(await answer).toMatchObject({ status: 200, body: 'late' });
    await closed;
    await expect(get(outcome.server, '/slow')).rejects.toThrow();
  });
});

test('metrics are served in plain text format', async () => {
  const registry = new Registry();
  new Counter({ name: 'attaches_total', help: 'Attaches.', registers: [registry] }).inc(3);
  const server = listening(await startMetricsServer({ address: ADDRESS, registry }));
  expect(await get(server, '/metrics')).toMatchObject({
    status: 200,
    type: containing('text/plain'),
    body: containing('attaches_total 3'),
  });
});
