import { afterEach, describe, expect, it } from 'vitest';
import type { CacheEvent } from '../src/index.ts';
import { recordingLog } from './support/log.ts';
import { status } from './support/tiny-server.ts';
import { widget, widgets, type Widget } from './support/widget.ts';
import { world } from './support/world.ts';

describe('watchKind', () => {
  const stops: (() => void)[] = [];
  const start = () => {
    const all = world();
    stops.push(() => {
      all.stop.abort();
    });
    return all;
  };
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
  });

  it('shows what is there, and what comes', async () => {
    const { clock, server, watch } = start();
    server.history.create('widgets', 'default', widget('a'));
    const cache = watch();
    expect(cache.synced).toBe(false);
    await clock.advance(0);
    expect(cache.synced).toBe(true);
    expect(cache.get('a', 'default')?.spec.size).toBe(1);
    server.history.create('widgets', 'default', widget('b'));
    await clock.advance(0);
    expect(cache.list().map((object) => object.metadata.name)).toEqual(['a', 'b']);
  });

  it('lists in pages', async () => {
    const { clock, server, watch } = start();
    for (let at = 0; at < 1234; at += 1) server.history.create('widgets', 'default', widget(`w${at}`));
    const cache = watch();
    await clock.advance(0);
    expect(cache.list()).toHaveLength(1234);
    expect(server.requests.filter((request) => request.path.includes('limit=500'))).toHaveLength(3);
  });

  it('keeps objects frozen and without managedFields', async () => {
    const { clock, server, watch } = start();
    server.history.create('widgets', 'default', widget('a'));
    const cache = watch();
    await clock.advance(0);
    const object = cache.get('a', 'default');
    expect(object?.metadata).not.toHaveProperty('managedFields');
    expect(Object.isFrozen(object?.metadata)).toBe(true);
    expect(Object.isFrozen(object?.spec)).toBe(true);
  });

  it('completes items of a list that do not say what they are, as in lists of built-in kinds', async () => {
    const { clock, client, server, watch } = start();
    server.history.create('widgets', 'default', widget('a'));
    server.history.create('widgets', 'default', { ...widget('b'), apiVersion: 'test.example/v1', kind: 'Widget' });
    const cache = watch();
    await clock.advance(0);
    const all = [...cache.list()].sort((left, right) => left.metadata.name.localeCompare(right.metadata.name));
    expect(all).toMatchObject([{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }]);
    for (const object of all) expect(object).toMatchObject({ apiVersion: 'test.example/v1', kind: 'Widget' });
    const listed = await client.list(widgets);
    expect(listed).toMatchObject({ tag: 'listed', objects: [{ kind: 'Widget' }, { kind: 'Widget' }] });
  });

  it('shows own writes before the watch does, and tells of each once', async () => {
    const { clock, client, watch } = start();
    const cache = watch();
    await clock.advance(0);
    const events: CacheEvent<Widget>[] = [];
    cache.subscribe((event) => events.push(event));
    const created = await client.create(widgets, widget('a'));
    expect(created.tag).toBe('done');
    expect(cache.get('a', 'default')?.spec.size).toBe(1);
    const patched = await client.patch(
      widgets,
      { name: 'a', namespace: 'default' },
      { type: 'merge', value: { spec: { size: 2 } } },
    );
    expect(patched.tag).toBe('done');
    expect(cache.get('a', 'default')?.spec.size).toBe(2);
    expect((await client.delete(widgets, { name: 'a', namespace: 'default' })).tag).toBe('done');
    expect(cache.get('a', 'default')).toBeUndefined();
    await clock.advance(1000);
    expect(cache.list()).toEqual([]);
    expect(events.map((event) => event.type)).toEqual(['set', 'set', 'deleted']);
  });

  it('goes on after a refused list, and says that a kind is missing', async () => {
    const { clock, server, watch } = start();
    server.served.delete('widgets');
    const cache = watch({ optional: true });
    await cache.whenSynced(new AbortController().signal);
    expect([cache.synced, cache.missing]).toEqual([false, true]);
    server.served.add('widgets');
    await clock.advance(2_000);
    expect([cache.synced, cache.missing]).toEqual([true, false]);
  });

  it('does not wait for an optional kind that may not be read, and says so once', async () => {
    const { clock, server, watch } = start();
    const { log, lines } = recordingLog();
    server.intercept = () => status(403, 'Forbidden', 'widgets is forbidden');
    const cache = watch({ optional: true, log });
    await cache.whenSynced(new AbortController().signal);
    await clock.advance(300_000);
    expect([cache.synced, cache.missing, cache.problem]).toEqual([false, false, 'widgets is forbidden']);
    expect(lines.map(({ message }) => message)).toEqual(['list-watch failed, trying again']);
    server.intercept = () => undefined;
    await clock.advance(60_000);
    expect([cache.synced, cache.problem]).toEqual([true, undefined]);
  });

  it('goes on from where it was when the watch breaks', async () => {
    const { clock, server, watch } = start();
    const cache = watch();
    await clock.advance(3_000);
    server.history.closeWatches();
    server.intercept = (request) =>
      request.path.includes('watch=1') ? status(500, 'InternalError', 'broken') : undefined;
    await clock.advance(10_000);
    server.history.create('widgets', 'default', widget('a'));
    server.intercept = () => undefined;
    await clock.advance(30_000);
    expect(cache.get('a', 'default')).toBeDefined();
    expect(server.requests.filter((request) => request.path.includes('limit='))).toHaveLength(1);
  });

  it('lists anew when the server has forgotten where it was', async () => {
    const { clock, server, watch } = start();
    server.history.create('widgets', 'default', widget('a'));
    const cache = watch();
    await clock.advance(3_000);
    server.intercept = (request) => (request.path.includes('watch=1') ? status(503, 'Unavailable', 'busy') : undefined);
    server.history.closeWatches();
    await clock.advance(0);
    const a = server.history.get('widgets', 'default', 'a');
    if (a !== undefined) server.history.delete('widgets', a);
    server.history.create('widgets', 'default', widget('b'));
    server.history.compact();
    server.intercept = () => undefined;
    await clock.advance(60_000);
    expect(cache.list().map((object) => object.metadata.name)).toEqual(['b']);
  });

  it('finds objects by index', async () => {
    const { clock, server, watch } = start();
    server.history.create('widgets', 'default', widget('a', 1));
    server.history.create('widgets', 'default', widget('b', 2));
    const cache = watch({ indexes: { size: (object) => [String(object.spec.size)] } });
    await clock.advance(0);
    expect(cache.byIndex('size', '2').map((object) => object.metadata.name)).toEqual(['b']);
    expect(() => cache.byIndex('colour', 'red')).toThrow('there are: size');
  });
});
