import { describe, expect, it } from 'vitest';
import { createBench, widget, WIDGETS } from './fixtures.ts';
import { stringAt } from '../src/base/json.ts';

const MERGE = { 'content-type': 'application/merge-patch+json' };

describe('deletion', () => {
  it('refuses a propagation policy that there is none of', async () => {
    const { ask } = createBench();
    await ask('POST', WIDGETS, widget('a'));
    const refused = await ask('DELETE', `${WIDGETS}/a`, { propagationPolicy: 'Sideways' });
    expect([refused.status, refused.body['message']]).toEqual([
      422,
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Sideways": supported values: ' +
        '"Foreground", "Background", "Orphan", "nil"',
    ]);
    expect((await ask('GET', `${WIDGETS}/a`)).status).toBe(200);
  });

  it('removes an object at once and says what it removed', async () => {
    const { ask } = createBench();
    const { body: created } = await ask('POST', WIDGETS, widget('a'));
    const removed = await ask('DELETE', `${WIDGETS}/a`);
    expect(removed.body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'a', group: 'example.com', kind: 'widgets', uid: stringAt(created, 'metadata', 'uid') },
    });
    expect((await ask('GET', `${WIDGETS}/a`)).body['message']).toBe('widgets.example.com "a" not found');
    expect((await ask('DELETE', `${WIDGETS}/a`)).status).toBe(404);
  });

  it('waits for finalizers, takes no new ones, and ends with the last', async () => {
    const { ask } = createBench();
    await ask('POST', WIDGETS, widget('a', { size: 1 }, { finalizers: ['x/one', 'x/two'] }));
    const marked = await ask('DELETE', `${WIDGETS}/a`);
    expect(marked.body).toMatchObject({
      kind: 'Widget',
      metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0, generation: 2 },
    });
    const again = await ask('DELETE', `${WIDGETS}/a`);
    expect(again.body).toEqual(marked.body);
    const more = await ask('PATCH', `${WIDGETS}/a`, { metadata: { finalizers: ['x/one', 'x/three'] } }, MERGE);
    expect(more.body['message']).toBe(
      'Widget.example.com "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x/three"}',
    );
    expect((await ask('PATCH', `${WIDGETS}/a`, { metadata: { finalizers: ['x/one'] } }, MERGE)).status).toBe(200);
    expect((await ask('GET', `${WIDGETS}/a`)).status).toBe(200);
    expect((await ask('PATCH', `${WIDGETS}/a`, { metadata: { finalizers: null } }, MERGE)).status).toBe(200);
    expect((await ask('GET', `${WIDGETS}/a`)).status).toBe(404);
  });

  it('cannot be taken back', async () => {
    const { ask } = createBench();
    await ask('POST', WIDGETS, widget('a', { size: 1 }, { finalizers: ['x/one'] }));
    await ask('DELETE', `${WIDGETS}/a`);
    const patched = await ask('PATCH', `${WIDGETS}/a`, { metadata: { deletionTimestamp: null } }, MERGE);
    expect(stringAt(patched.body, 'metadata', 'deletionTimestamp')).toBe('2026-01-01T00:00:00Z');
  });

  it('holds to preconditions', async () => {
    const { ask } = createBench();
    const { body: created } = await ask('POST', WIDGETS, widget('a'));
    const wrongUid = await ask('DELETE', `${WIDGETS}/a`, { preconditions: { uid: 'other' } });
    expect(wrongUid.status).toBe(409);
    expect(wrongUid.body['message']).toContain(
      'the UID in the precondition (other) does not match the UID in record (',
    );
    const wrongVersion = await ask('DELETE', `${WIDGETS}/a`, { preconditions: { resourceVersion: '1' } });
    expect(wrongVersion.body['message']).toContain('the ResourceVersion in the precondition (1) does not match');
    const uid = stringAt(created, 'metadata', 'uid');
    expect((await ask('DELETE', `${WIDGETS}/a`, { preconditions: { uid } })).status).toBe(200);
  });

  it('of a collection takes what the selector picks', async () => {
    const { ask, sim } = createBench();
    await ask('POST', WIDGETS, widget('a', { size: 1 }, { labels: { x: '1' } }));
    await ask('POST', WIDGETS, widget('b'));
    expect((await ask('DELETE', `${WIDGETS}?labelSelector=x%3D1`)).body).toMatchObject({
      items: [{ metadata: { name: 'a' } }],
    });
    expect(sim.objects.list('widgets.example.com').map((object) => stringAt(object, 'metadata', 'name'))).toEqual([
      'b',
    ]);
  });
});

describe('garbage', () => {
  const owned = (name: string, owner: object, uid: string | undefined) =>
    widget(
      name,
      { size: 1 },
      { ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'Widget', name: 'owner', uid, ...owner }] },
    );

  it('is deleted when its owner goes', async () => {
    const { ask, clock, sim } = createBench();
    const { body: owner } = await ask('POST', WIDGETS, widget('owner'));
    await ask('POST', WIDGETS, owned('child', {}, stringAt(owner, 'metadata', 'uid')));
    clock.advance(1000);
    expect(sim.objects.count('widgets.example.com')).toBe(2);
    await ask('DELETE', `${WIDGETS}/owner`);
    clock.advance(1000);
    expect(sim.objects.count('widgets.example.com')).toBe(0);
  });

  it('is deleted when its owner never was', async () => {
    const { ask, clock, sim } = createBench();
    await ask('POST', WIDGETS, widget('owner'));
    await ask('POST', WIDGETS, owned('child', {}, 'another-uid'));
    clock.advance(1000);
    expect(sim.objects.list('widgets.example.com')).toHaveLength(1);
  });

  it('stays while one of its owners is there', async () => {
    const { ask, clock, sim } = createBench();
    const owners = [await ask('POST', WIDGETS, widget('one')), await ask('POST', WIDGETS, widget('two'))].map(
      ({ body }) => ({
        apiVersion: 'example.com/v1',
        kind: 'Widget',
        name: stringAt(body, 'metadata', 'name'),
        uid: stringAt(body, 'metadata', 'uid'),
      }),
    );
    await ask('POST', WIDGETS, widget('child', { size: 1 }, { ownerReferences: owners }));
    await ask('DELETE', `${WIDGETS}/one`);
    clock.advance(1000);
    expect((await ask('GET', `${WIDGETS}/child`)).status).toBe(200);
    await ask('DELETE', `${WIDGETS}/two`);
    clock.advance(1000);
    expect(sim.objects.count('widgets.example.com')).toBe(0);
  });

  it('goes first when the owner is deleted in the foreground', async () => {
    const { ask, clock, sim } = createBench();
    const { body: owner } = await ask('POST', WIDGETS, widget('owner'));
    const child = owned('child', {}, stringAt(owner, 'metadata', 'uid')) as { metadata: object };
    await ask('POST', WIDGETS, { ...child, metadata: { ...child.metadata, finalizers: ['x/y'] } });
    await ask('DELETE', `${WIDGETS}/owner?propagationPolicy=Foreground`);
    clock.advance(1000);
    expect((await ask('GET', `${WIDGETS}/owner`)).body).toMatchObject({
      metadata: { finalizers: ['foregroundDeletion'] },
    });
    await ask('PATCH', `${WIDGETS}/child`, { metadata: { finalizers: null } }, MERGE);
    clock.advance(1000);
    expect(sim.objects.count('widgets.example.com')).toBe(0);
  });

  it('is let go when the owner is deleted as an orphan-maker', async () => {
    const { ask, clock } = createBench();
    const { body: owner } = await ask('POST', WIDGETS, widget('owner'));
    await ask('POST', WIDGETS, owned('child', {}, stringAt(owner, 'metadata', 'uid')));
    await ask('DELETE', `${WIDGETS}/owner?propagationPolicy=Orphan`);
    clock.advance(1000);
    expect((await ask('GET', `${WIDGETS}/owner`)).status).toBe(404);
    expect((await ask('GET', `${WIDGETS}/child`)).body['metadata']).not.toHaveProperty('ownerReferences');
  });
});

describe('a namespace', () => {
  it('takes its objects with it, and lets nothing new in meanwhile', async () => {
    const { ask, clock } = createBench();
    const map = (name: string, finalizers: readonly string[]) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, finalizers },
    });
    await ask('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } });
    await ask('POST', '/api/v1/namespaces/n/configmaps', map('a', ['x/y']));
    expect((await ask('DELETE', '/api/v1/namespaces/n')).body).toMatchObject({ status: { phase: 'Terminating' } });
    clock.advance(1);
    const late = await ask('POST', '/api/v1/namespaces/n/configmaps', map('b', []));
    expect([late.status, late.body['message']]).toEqual([
      403,
      'configmaps "b" is forbidden: unable to create new content in namespace n because it is being terminated',
    ]);
    expect((await ask('GET', '/api/v1/namespaces/n')).status).toBe(200);
    await ask('PATCH', '/api/v1/namespaces/n/configmaps/a', { metadata: { finalizers: null } }, MERGE);
    clock.advance(1);
    expect((await ask('GET', '/api/v1/namespaces/n')).status).toBe(404);
  });
});
