import { describe, expect, it } from 'vitest';
import { createBench, widget, WIDGETS } from './fixtures.ts';
import { ConnectionCut, type SeenRequest } from '../src/index.ts';

describe('a fault', () => {
  it('fails the n-th request that matches, before it is carried out', async () => {
    const { ask, sim } = createBench();
    sim.faults.add({
      match: ({ verb, resource }) => verb === 'create' && resource === 'widgets.example.com',
      nth: 2,
      when: 'before',
      trouble: { tag: 'fail', code: 429, reason: 'TooManyRequests', message: 'slow down', retryAfterSeconds: 3 },
    });
    const answers = [
      await ask('POST', WIDGETS, widget('a')),
      await ask('POST', WIDGETS, widget('b')),
      await ask('POST', WIDGETS, widget('c')),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 429, 201]);
    expect(answers[1]?.headers['retry-after']).toBe('3');
    expect(answers[1]?.body).toMatchObject({ kind: 'Status', reason: 'TooManyRequests', message: 'slow down' });
    expect(sim.objects.get('widgets.example.com', 'b')).toBeUndefined();
    expect(sim.faults.pending).toBe(0);
  });

  it('loses the answer to a request that was carried out', async () => {
    const { ask, sim } = createBench();
    sim.faults.add({ match: ({ isWrite }) => isWrite, when: 'after', trouble: { tag: 'cut' } });
    await expect(ask('POST', WIDGETS, widget('a'))).rejects.toBeInstanceOf(ConnectionCut);
    expect(sim.objects.get('widgets.example.com', 'a')).toBeDefined();
  });

  it('loses a request before it was carried out, as often as is said', async () => {
    const { ask, sim } = createBench();
    sim.faults.add({ match: ({ isWrite }) => isWrite, times: 2, when: 'before', trouble: { tag: 'cut' } });
    await expect(ask('POST', WIDGETS, widget('a'))).rejects.toBeInstanceOf(ConnectionCut);
    await expect(ask('POST', WIDGETS, widget('a'))).rejects.toBeInstanceOf(ConnectionCut);
    expect((await ask('POST', WIDGETS, widget('a'))).status).toBe(201);
  });

  it('delays the request or its answer', async () => {
    const { ask, sim, clock } = createBench();
    for (const when of ['before', 'after'] as const) {
      const name = `w-${when}`;
      sim.faults.add({ match: ({ verb }) => verb === 'create', when, trouble: { tag: 'delay', ms: 100 } });
      let done = false;
      const answer = ask('POST', WIDGETS, widget(name)).then((result) => {
        done = true;
        return result;
      });
      await new Promise((resolve) => setImmediate(resolve));
      expect([done, sim.objects.get('widgets.example.com', name) !== undefined]).toEqual([false, when === 'after']);
      clock.advance(100);
      expect((await answer).status).toBe(201);
    }
  });

  it('ends a watch cleanly before it began', async () => {
    const { ask, sim, watch } = createBench();
    sim.faults.add({ match: ({ verb }) => verb === 'watch', when: 'before', trouble: { tag: 'empty' } });
    const empty = await ask('GET', `${WIDGETS}?watch=true`);
    expect([empty.status, empty.text, sim.openWatches()]).toEqual([200, '', 0]);
    await watch(`${WIDGETS}?watch=true`);
    expect(sim.openWatches()).toBe(1);
  });

  it('can be taken back', async () => {
    const { ask, sim } = createBench();
    const fault = { match: () => true, when: 'before', trouble: { tag: 'cut' } } as const;
    sim.faults.add(fault)();
    sim.faults.add(fault);
    sim.faults.clear();
    expect((await ask('GET', WIDGETS)).status).toBe(200);
  });
});

describe('an observer', () => {
  it('sees what each request was and how it ended', async () => {
    const { ask, sim, watch } = createBench();
    const seen: SeenRequest[] = [];
    const stop = sim.observe((request) => seen.push(request));
    await ask('POST', WIDGETS, widget('a'), { 'user-agent': 'me' });
    await ask('POST', `${WIDGETS}?dryRun=All`, widget('b'));
    await ask('PATCH', `${WIDGETS}/a/status`, { status: {} }, { 'content-type': 'application/merge-patch+json' });
    await ask('GET', `${WIDGETS}/x`);
    await ask('GET', '/version');
    await watch(`${WIDGETS}?watch=true`);
    await ask('DELETE', WIDGETS);
    stop();
    await ask('GET', WIDGETS);
    expect(seen.map(({ verb, status, isWrite, subresource }) => [verb, status, isWrite, subresource])).toEqual([
      ['create', 201, true, undefined],
      ['create', 201, false, undefined],
      ['patch', 200, true, 'status'],
      ['get', 404, false, undefined],
      ['other', 200, false, undefined],
      ['watch', 200, false, undefined],
      ['deletecollection', 200, true, undefined],
    ]);
    expect(seen[0]).toMatchObject({ method: 'POST', path: WIDGETS, userAgent: 'me', resource: 'widgets.example.com' });
  });

  it('sees a request that got no answer', async () => {
    const { ask, sim } = createBench();
    const seen: SeenRequest[] = [];
    sim.observe((request) => seen.push(request));
    sim.faults.add({ match: () => true, when: 'after', trouble: { tag: 'cut' } });
    await expect(ask('POST', WIDGETS, widget('a'))).rejects.toBeInstanceOf(ConnectionCut);
    expect(seen).toMatchObject([{ verb: 'create', status: undefined, isWrite: true }]);
  });
});

describe('the store from behind', () => {
  it('puts, reads, lists, counts and deletes', () => {
    const { sim } = createBench();
    const put = sim.objects.put({ ...widget('a'), status: { state: 'On' } });
    expect(sim.objects.get('widgets.example.com', 'a')).toBe(put);
    expect(put).toMatchObject({ spec: { colour: 'red' }, status: { state: 'On' } });
    const again = sim.objects.put({ ...put, spec: { size: 2 } });
    expect(again['metadata']).toMatchObject({ uid: (put['metadata'] as { uid: string }).uid, generation: 2 });
    expect(sim.objects.put({ ...again, status: { state: 'Off' } })['metadata']).toMatchObject({ generation: 2 });
    sim.objects.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' } });
    expect([
      sim.objects.list('configmaps', 'default').length,
      sim.objects.list('configmaps', 'kube-system').length,
    ]).toEqual([1, 0]);
    expect([sim.objects.delete('widgets.example.com', 'a'), sim.objects.delete('widgets.example.com', 'a')]).toEqual([
      true,
      false,
    ]);
    expect(sim.objects.count('widgets.example.com')).toBe(0);
  });

  it('says which resource or kind is not served', () => {
    const { sim } = createBench();
    expect(() => sim.objects.list('gizmos.example.com')).toThrow('resource "gizmos.example.com" is not served');
    expect(() => sim.objects.put({ apiVersion: 'v1', kind: 'Gizmo' })).toThrow(
      'kind "Gizmo" of apiVersion "v1" is not served',
    );
  });
});
