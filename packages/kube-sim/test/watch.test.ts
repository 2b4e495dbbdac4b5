import { describe, expect, it } from 'vitest';
import { createBench, widget, WIDGETS } from './fixtures.ts';
import { stringAt } from '../src/base/json.ts';
import { ConnectionCut } from '../src/index.ts';

const MERGE = { 'content-type': 'application/merge-patch+json' };
const summary = (events: readonly { readonly type: string; readonly object: Parameters<typeof stringAt>[0] }[]) =>
  events.map(({ type, object }) => `${type} ${stringAt(object, 'metadata', 'name') ?? ''}`);

describe('a watch', () => {
  it('goes on from the version that it is given, and shows last states with new versions', async () => {
    const { ask, watch } = createBench();
    await ask('POST', WIDGETS, widget('a'));
    const { body: list } = await ask('GET', WIDGETS);
    await ask('POST', WIDGETS, widget('b'));
    await ask('PATCH', `${WIDGETS}/a`, { spec: { size: 2 } }, MERGE);
    const seen = await watch(
      `${WIDGETS}?watch=true&resourceVersion=${stringAt(list, 'metadata', 'resourceVersion') ?? ''}`,
    );
    await seen.event(1);
    await ask('DELETE', `${WIDGETS}/a`);
    const gone = await seen.event(2);
    expect(summary(seen.events)).toEqual(['ADDED b', 'MODIFIED a', 'DELETED a']);
    expect(gone.object).toMatchObject({ spec: { size: 2 } });
    const versions = seen.events.map(({ object }) => Number(stringAt(object, 'metadata', 'resourceVersion')));
    expect(versions).toEqual([...versions].sort((left, right) => left - right));
    expect(new Set(versions).size).toBe(3);
    seen.stop();
    await seen.ended;
  });

  it('without a version begins with what is there, however long ago it came', async () => {
    const { ask, watch, sim } = createBench();
    await ask('POST', WIDGETS, widget('a'));
    sim.compact();
    for (const query of ['', '&resourceVersion=0']) {
      const seen = await watch(`${WIDGETS}?watch=1${query}`);
      expect(await seen.event(0)).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } });
      seen.stop();
    }
  });

  it('tells a selector’s view: what comes to match is added, what ceases to is deleted', async () => {
    const { ask, watch } = createBench();
    const seen = await watch(`${WIDGETS}?watch=true&labelSelector=on%3Dyes`);
    await ask('POST', WIDGETS, widget('a'));
    await ask('PATCH', `${WIDGETS}/a`, { metadata: { labels: { on: 'yes' } } }, MERGE);
    await ask('PATCH', `${WIDGETS}/a`, { spec: { size: 3 } }, MERGE);
    await ask('PATCH', `${WIDGETS}/a`, { metadata: { labels: { on: 'no' } } }, MERGE);
    await ask('DELETE', `${WIDGETS}/a`);
    const last = await seen.event(2);
    expect(summary(seen.events)).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
    expect(last.object).toMatchObject({ metadata: { labels: { on: 'yes' } }, spec: { size: 3 } });
    seen.stop();
    await seen.ended;
    expect(seen.events).toHaveLength(3);
  });

  it('of one object, by its name, sees no other; a path that names it is read and not watched', async () => {
    const { ask, watch } = createBench();
    const byField = await watch(`${WIDGETS}?watch=true&fieldSelector=metadata.name%3Db`);
    await ask('POST', WIDGETS, widget('a'));
    await ask('POST', WIDGETS, widget('b'));
    expect(summary([await byField.event(0)])).toEqual(['ADDED b']);
    expect((await ask('GET', `${WIDGETS}/b?watch=true`)).body).toMatchObject({ kind: 'Widget' });
  });

  it('of a namespace sees that namespace', async () => {
    const { ask, watch } = createBench();
    const seen = await watch('/api/v1/namespaces/default/configmaps?watch=true');
    const map = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    await ask('POST', '/api/v1/namespaces/kube-system/configmaps', map('a'));
    await ask('POST', '/api/v1/namespaces/default/configmaps', map('b'));
    expect(summary([await seen.event(0)])).toEqual(['ADDED b']);
  });

  it('gets bookmarks when it asks for them, the last one two seconds before its timeout', async () => {
    const { clock, watch, sim } = createBench({ bookmarkIntervalMs: 2000 });
    const seen = await watch(`${WIDGETS}?watch=true&resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=7`);
    sim.objects.put({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } });
    clock.advance(2500);
    const mark = await seen.event(0);
    const node = sim.objects.get('nodes', 'n');
    expect(mark).toEqual({
      type: 'BOOKMARK',
      object: {
        kind: 'Widget',
        apiVersion: 'example.com/v1',
        metadata: { resourceVersion: stringAt(node, 'metadata', 'resourceVersion'), creationTimestamp: null },
      },
    });
    clock.advance(2500);
    await seen.event(2);
    clock.advance(2000);
    await seen.ended;
    expect(seen.events.map(({ type }) => type)).toEqual(['BOOKMARK', 'BOOKMARK', 'BOOKMARK']);
    expect(sim.openWatches()).toBe(0);
  });

  it('gets no bookmark that says nothing new', async () => {
    const { clock, watch } = createBench({ bookmarkIntervalMs: 1000 });
    const seen = await watch(`${WIDGETS}?watch=true&resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=7`);
    clock.advance(7000);
    await seen.ended;
    expect(seen.events).toEqual([]);
  });

  it('without bookmarks ends quietly at its timeout', async () => {
    const { clock, watch } = createBench({ bookmarkIntervalMs: 1000 });
    const seen = await watch(`${WIDGETS}?watch=true&resourceVersion=1&timeoutSeconds=3`);
    clock.advance(3000);
    await seen.ended;
    expect(seen.events).toEqual([]);
  });

  it('streams the list first with sendInitialEvents, and marks its end', async () => {
    const { ask, watch } = createBench();
    await ask('POST', WIDGETS, widget('a'));
    const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const seen = await watch(`${WIDGETS}?${query}`);
    expect(await seen.event(1)).toMatchObject({
      type: 'BOOKMARK',
      object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
    });
    expect(summary([await seen.event(0)])).toEqual(['ADDED a']);
    const wrong = await ask('GET', `${WIDGETS}?watch=true&sendInitialEvents=true`);
    expect(wrong.status).toBe(422);
  });

  it('as tables describes the columns once', async () => {
    const { ask, watch } = createBench();
    const seen = await watch(`${WIDGETS}?watch=true`, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    await ask('POST', WIDGETS, widget('a'));
    await ask('POST', WIDGETS, widget('b'));
    expect(await seen.event(0)).toMatchObject({
      object: {
        kind: 'Table',
        columnDefinitions: [{ name: 'Name' }, { name: 'State' }, { name: 'Size' }, { name: 'Ready' }, { name: 'Age' }],
        rows: [{ cells: ['a', null, 1, null, '0s'] }],
      },
    });
    expect(await seen.event(1)).toMatchObject({ object: { kind: 'Table', columnDefinitions: null } });
  });
});

describe('a watch from too old a version', () => {
  const gone = {
    type: 'ERROR',
    object: { kind: 'Status', code: 410, reason: 'Expired', status: 'Failure' },
  };

  it('is told so after the window has moved on', async () => {
    const { ask, watch } = createBench({ historyWindow: 4 });
    const { body: first } = await ask('POST', WIDGETS, widget('a'));
    for (let size = 2; size < 10; size += 1) await ask('PATCH', `${WIDGETS}/a`, { spec: { size } }, MERGE);
    const from = stringAt(first, 'metadata', 'resourceVersion') ?? '';
    const seen = await watch(`${WIDGETS}?watch=true&resourceVersion=${from}`);
    await seen.ended;
    expect(seen.events).toMatchObject([gone]);
    expect(stringAt(seen.events[0]?.object, 'message')).toMatch(
      new RegExp(`^too old resource version: ${from} \\(\\d+\\)$`, 'u'),
    );
  });

  it('is told so after a compaction, and one from the newest version is not', async () => {
    const { ask, watch, sim } = createBench();
    await ask('POST', WIDGETS, widget('a'));
    const { body: last } = await ask('POST', WIDGETS, widget('b'));
    sim.compact();
    const old = await watch(`${WIDGETS}?watch=true&resourceVersion=1`);
    await old.ended;
    expect(old.events).toMatchObject([gone]);
    const fresh = await watch(
      `${WIDGETS}?watch=true&resourceVersion=${stringAt(last, 'metadata', 'resourceVersion') ?? ''}`,
    );
    await ask('POST', WIDGETS, widget('c'));
    expect(summary([await fresh.event(0)])).toEqual(['ADDED c']);
  });

  it('and one from a version to come waits for nothing', async () => {
    const { ask } = createBench();
    const answer = await ask('GET', `${WIDGETS}?watch=true&resourceVersion=999999`);
    expect([answer.status, answer.headers['retry-after']]).toEqual([504, '1']);
    expect(answer.body['message']).toMatch(/^Timeout: Too large resource version: 999999, current: \d+$/u);
  });
});

describe('watches', () => {
  it('can be ended and cut by a test', async () => {
    const { watch, sim } = createBench();
    const ended = await watch(`${WIDGETS}?watch=true`, { 'user-agent': 'one' });
    const cut = await watch(`${WIDGETS}?watch=true`, { 'user-agent': 'two' });
    expect(sim.closeWatches('end', (open) => open.userAgent === 'one')).toBe(1);
    await ended.ended;
    expect(sim.openWatches()).toBe(1);
    expect(sim.closeWatches('cut')).toBe(1);
    await expect(cut.ended).rejects.toBeInstanceOf(ConnectionCut);
    expect(sim.openWatches()).toBe(0);
  });

  it('can be held, so that clients see an old world, those that come meanwhile too', async () => {
    const { ask, watch, sim } = createBench();
    const held = await watch(`${WIDGETS}?watch=true`, { 'user-agent': 'slow' });
    const other = await watch(`${WIDGETS}?watch=true`);
    const release = sim.holdWatches(({ userAgent }) => userAgent === 'slow');
    const late = await watch(`${WIDGETS}?watch=true`, { 'user-agent': 'slow' });
    await ask('POST', WIDGETS, widget('a'));
    await other.event(0);
    await new Promise((resolve) => setImmediate(resolve));
    expect([held.events.length, late.events.length]).toEqual([0, 0]);
    release();
    expect(summary([await held.event(0), await late.event(0)])).toEqual(['ADDED a', 'ADDED a']);
  });
});
