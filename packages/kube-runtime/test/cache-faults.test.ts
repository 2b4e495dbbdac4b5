import { describe, expect, it } from 'vitest';
import { RuntimeMetrics } from '../src/index.ts';
import { recordingLog } from './support/log.ts';
import { status } from './support/tiny-server.ts';
import { widget, widgets } from './support/widget.ts';
import { world } from './support/world.ts';

const isWatch = (request: { readonly path: string }) => request.path.includes('watch=1');
const isList = (request: { readonly path: string }) => request.path.includes('limit=');

/** A watch whose bytes the test decides, and whether it ends. */
function watchAnswer(lines: readonly string[], end: 'open' | 'closed') {
  async function* body() {
    for (const line of lines) yield line;
    if (end === 'open') await new Promise(() => undefined);
  }
  return { status: 200, headers: {}, body: body() };
}

describe('watchKind, when things go wrong', () => {
  it('notices a watch that went silent, and goes on from where it was', async () => {
    const { clock, server, watch } = world();
    const { log, lines } = recordingLog();
    server.intercept = (request) => (isWatch(request) ? watchAnswer([], 'open') : undefined);
    const cache = watch({ log });
    await clock.advance(10_000);
    server.history.create('widgets', 'default', widget('a'));
    server.intercept = () => undefined;
    // The server was asked to end the watch after 90 to 135 s; 10 s later it counts as dead.
    await clock.advance(150_000);
    expect(cache.get('a', 'default')).toBeDefined();
    expect(lines).toMatchObject([
      { message: 'list-watch failed, trying again', kind: 'Widget', error: 'the watch went silent' },
    ]);
    expect(server.requests.filter(isList)).toHaveLength(1);
  });

  it('reads the one object once a minute where it may not be listed, and watches it as soon as it may', async () => {
    const { clock, server, watch } = world();
    const forbidden = status(403, 'Forbidden', 'widgets is forbidden');
    server.intercept = (request) => (isList(request) || isWatch(request) ? forbidden : undefined);
    const made = server.history.create('widgets', 'default', widget('a'));
    const only = { name: 'a', namespace: 'default' };
    const cache = watch({ namespace: 'default', fieldSelector: 'metadata.name=a', only });
    await clock.advance(1_000);
    expect(cache.synced).toBe(true);
    expect(cache.get('a', 'default')).toBeDefined();
    server.history.delete('widgets', made);
    await clock.advance(300_000);
    expect(cache.list()).toEqual([]);
    // A list and a read a minute.
    expect(server.requests.length).toBeLessThanOrEqual(12);
    server.intercept = () => undefined;
    await clock.advance(60_000);
    server.history.create('widgets', 'default', widget('a'));
    await clock.advance(1);
    expect(cache.get('a', 'default')).toBeDefined();
  });

  it('asks for bookmarks, and goes on from the newest', async () => {
    const { clock, server, watch } = world();
    const bookmark = { type: 'BOOKMARK', object: { kind: 'Widget', metadata: { resourceVersion: '77' } } };
    let watches = 0;
    server.intercept = (request) => {
      if (!isWatch(request)) return undefined;
      watches += 1;
      return watches === 1 ? watchAnswer([`${JSON.stringify(bookmark)}\n`], 'closed') : watchAnswer([], 'open');
    };
    watch();
    await clock.advance(5_000);
    const paths = server.requests.filter(isWatch).map((request) => new URL(request.path, 'http://x').searchParams);
    expect(paths.map((query) => [query.get('resourceVersion'), query.get('allowWatchBookmarks')])).toEqual([
      ['10', 'true'],
      ['77', 'true'],
    ]);
  });

  it.each([
    [
      'an ERROR event',
      `${JSON.stringify({ type: 'ERROR', object: { code: 410, reason: 'Expired', message: 'old' } })}\n`,
    ],
    ['a line that is no JSON', '{"type":"MODIF\n'],
    ['an unknown type', `${JSON.stringify({ type: 'NEWS', object: { metadata: { resourceVersion: '99' } } })}\n`],
    ['an object without a version', `${JSON.stringify({ type: 'ADDED', object: {} })}\n`],
  ])('lists anew after %s', async (_what, line) => {
    const { clock, server, watch } = world();
    let first = true;
    server.intercept = (request) => {
      if (!isWatch(request) || !first) return undefined;
      first = false;
      server.history.create('widgets', 'default', widget('a'));
      return watchAnswer([line], 'open');
    };
    const cache = watch();
    await clock.advance(5_000);
    expect(cache.get('a', 'default')).toBeDefined();
    expect(server.requests.filter(isList)).toHaveLength(2);
  });

  it('waits as long as the server asks', async () => {
    const { clock, server, watch } = world();
    server.intercept = () => status(403, 'Forbidden', 'not yet', { 'retry-after': '40' });
    const cache = watch();
    await clock.advance(39_999);
    expect(server.requests).toHaveLength(1);
    server.intercept = () => undefined;
    // And then 0.8 s by jitter at most.
    await clock.advance(1 + 800);
    expect(cache.synced).toBe(true);
  });

  it('keeps an object that cannot be read in its last good state, and says so', async () => {
    const { clock, server, watch } = world();
    const { log, lines } = recordingLog();
    const metrics = new RuntimeMetrics();
    const created = server.history.create('widgets', 'default', widget('a'));
    const cache = watch({ log, metrics });
    await clock.advance(0);
    server.history.update('widgets', { metadata: created.metadata });
    await clock.advance(0);
    expect(cache.get('a', 'default')?.spec.size).toBe(1);
    expect(cache.malformed).toEqual([{ key: 'default/a', message: 'spec.size: expected a number' }]);
    expect(lines).toMatchObject([{ level: 'error', kind: 'Widget', key: 'default/a' }]);
    expect(await metrics.registry.metrics()).toContain('kube_runtime_malformed_objects_total{kind="Widget"} 1');
  });

  it('goes on when a listener throws, and calls the others', async () => {
    const { clock, server, watch } = world();
    const { log, lines } = recordingLog();
    const cache = watch({ log });
    const seen: string[] = [];
    cache.subscribe(() => {
      throw new Error('careless');
    });
    const stop = cache.subscribe((event) => seen.push(event.object.metadata.name));
    await clock.advance(0);
    server.history.create('widgets', 'default', widget('a'));
    await clock.advance(0);
    stop();
    server.history.create('widgets', 'default', widget('b'));
    await clock.advance(0);
    expect(seen).toEqual(['a']);
    expect(lines).toMatchObject([{ error: 'careless' }, { error: 'careless' }]);
  });

  it('shows own writes of its selection only', async () => {
    const { clock, client, server, watch } = world();
    server.intercept = (request) => (isWatch(request) ? watchAnswer([], 'open') : undefined);
    const inNamespace = watch({ namespace: 'default' });
    const red = watch({ labelSelector: 'color=red' });
    await clock.advance(0);
    await client.create(widgets, widget('a', 1, { labels: { color: 'red' } }));
    await client.create(widgets, widget('b', 1, { labels: { color: 'blue' } }));
    await client.create(widgets, { ...widget('c'), metadata: { name: 'c', namespace: 'other' } });
    expect(inNamespace.list().map((object) => object.metadata.name)).toEqual(['a', 'b']);
    expect(red.list().map((object) => object.metadata.name)).toEqual(['a']);
  });

  it('stops when its signal aborts: no request, no timer, no listener is left', async () => {
    const { clock, client, server, stop, watch } = world();
    const cache = watch();
    await clock.advance(0);
    stop.abort(new Error('the end'));
    await clock.advance(0);
    const requests = server.requests.length;
    await client.create(widgets, widget('a'));
    await clock.advance(600_000);
    expect(server.requests).toHaveLength(requests + 1);
    expect(cache.list()).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('says when waiting for it was given up', async () => {
    const { server, watch } = world();
    server.served.clear();
    const giveUp = new AbortController();
    const waiting = watch().whenSynced(giveUp.signal);
    giveUp.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});
