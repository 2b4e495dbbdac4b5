import type { KubeSim } from '@cro/kube-sim';
import { describe, expect, it } from 'vitest';
import { bringUp, eventsOf, resourceNamed, takeDown } from './world/acts.ts';
import { NAMESPACE } from './world/names.ts';
import { putRequest, resourcesOf, runsWith, until } from './world/objects.ts';
import { makeWorld, type World } from './world/world.ts';

const MINUTE = 60_000;

/** Attaches a free device to a machine by hand: nobody in the cluster owns it. */
function attachByHand(world: World, machine = world.machines[0]): string {
  const id = world.fabric.snapshot().free.at(-1) ?? '';
  world.fabric.move(id, machine);
  return id;
}

function memoryOf(kube: KubeSim): { firstSeen: Record<string, number>; spared: string[] } | undefined {
  const stored = kube.objects.get('configmaps', 'cro-syncer', NAMESPACE) as
    { readonly data: { readonly firstSeen: string; readonly spared: string } } | undefined;
  if (stored === undefined) return undefined;
  return {
    firstSeen: JSON.parse(stored.data.firstSeen) as Record<string, number>,
    spared: JSON.parse(stored.data.spared) as string[],
  };
}

describe('a device that nobody owns', () => {
  it('goes back after 10 minutes, through a resource with both labels and no request', async () => {
    const world = await makeWorld();
    world.startOperator();
    await world.clock.advance(MINUTE);
    const id = attachByHand(world);
    await world.clock.advance(9 * MINUTE);
    expect(resourcesOf(world)).toEqual([]);
    await until(world, 'an object for it', () => resourcesOf(world).length === 1, 3 * MINUTE);
    const [object] = resourcesOf(world);
    expect(object?.metadata.labels).toEqual({
      'cohdi.io/ready-to-detach-device-id': world.fabric.attachedTo(world.machines[0] ?? '')[0]?.serial,
      'cohdi.io/ready-to-detach-cdi-device-id': id,
    });
    expect(object?.spec).toMatchObject({ type: 'gpu', target_node: 'worker-0', force_detach: false });
    await until(world, 'gone', () => resourcesOf(world).length === 0, MINUTE);
    world.fabric.assertPoolWhole();
    expect(world.fabric.calls()).toMatchObject({ attach: 0, detach: 1 });
    expect(eventsOf(world).filter(({ type }) => type === 'Warning')).toEqual([]);
  });

  it('is not tracked anew by a restart, and its ConfigMap is written once', async () => {
    const world = await makeWorld();
    const first = world.startOperator();
    attachByHand(world);
    await world.clock.advance(6 * MINUTE);
    first.kill();
    const before = memoryOf(world.kube);
    expect(Object.keys(before?.firstSeen ?? {})).toHaveLength(1);
    world.startOperator();
    await world.clock.advance(3 * MINUTE);
    expect(memoryOf(world.kube)).toEqual(before);
    expect(world.figures.writes()).toEqual(['create configmaps 201']);
    await until(world, 'given back', () => world.fabric.calls().detach === 1, 3 * MINUTE);
  });

  it('that leaves is forgotten: when it comes again its time begins anew', async () => {
    const world = await makeWorld({ byHand: true });
    world.startOperator();
    const id = attachByHand(world);
    await world.clock.advance(8 * MINUTE);
    world.fabric.move(id, undefined);
    await world.clock.advance(2 * MINUTE);
    expect(memoryOf(world.kube)?.firstSeen).toEqual({});
    world.fabric.move(id, world.machines[0]);
    await world.clock.advance(9 * MINUTE);
    expect(world.fabric.calls().detach).toBe(0);
    await until(world, 'given back', () => world.fabric.calls().detach === 1, 3 * MINUTE);
  });

  it('keeps its time while its machine cannot be read', async () => {
    const world = await makeWorld();
    world.startOperator();
    attachByHand(world);
    await world.clock.advance(5 * MINUTE);
    const tracked = memoryOf(world.kube);
    const broken = { status: 503, body: { html: '<p>away</p>' } } as const;
    const fault = world.fabric.faults.add({ kind: 'get', times: Infinity, effect: { tag: 'answer', ...broken } });
    await world.clock.advance(10 * MINUTE);
    expect(memoryOf(world.kube)).toEqual(tracked);
    expect(world.fabric.calls().detach).toBe(0);
    fault.remove();
    await until(world, 'given back', () => world.fabric.calls().detach === 1, 2 * MINUTE);
  });

  it('does not mature while an operation is open on its machine', async () => {
    const world = await makeWorld({ nodes: 1 });
    world.startOperator();
    attachByHand(world);
    await world.clock.advance(8 * MINUTE);
    // The call of this attach is lost before it does anything: its ticket stays open for the settle window.
    world.fabric.faults.add({ kind: 'attach', effect: { tag: 'hang', when: 'beforeChange' } });
    putRequest(world, 'story', { size: 1 });
    await world.clock.advance(3 * MINUTE);
    expect(resourcesOf(world).map(({ status }) => status?.operation !== undefined)).toEqual([true]);
    expect(world.fabric.calls().detach).toBe(0);
    await until(
      world,
      'both done',
      () => runsWith(world, 'story', 1) && world.fabric.calls().detach === 1,
      10 * MINUTE,
    );
    expect(world.fabric.calls().attach).toBe(2);
  });

  it('on a machine of another cluster is none of our business', async () => {
    const world = await makeWorld({ nodes: [{}, { providerId: 'fsas-cdi://00000000-9999-4000-8000-000000000000' }] });
    world.startOperator();
    attachByHand(world, world.machines[1]);
    await world.clock.advance(30 * MINUTE);
    expect(world.fabric.calls().detach).toBe(0);
  });

  it('of a model that nobody ever asked for goes back too', async () => {
    const world = await makeWorld({
      devices: [
        { type: 'gpu', model: 'OTHER-1', serial: 'GPU-88888888-0000-4000-8000-000000000000', resUuid: 'res-other' },
      ],
    });
    world.startOperator();
    attachByHand(world);
    await until(world, 'given back', () => world.fabric.calls().detach === 1, 12 * MINUTE);
    await until(world, 'no object left', () => resourcesOf(world).length === 0, MINUTE);
  });
});

describe('the ConfigMap', () => {
  it.each([
    { what: 'text that is no JSON', data: { firstSeen: '{', spared: 'x' } },
    { what: 'JSON of another shape', data: { firstSeen: '{"a":"b"}', spared: '{}' } },
    { what: 'nothing', data: {} },
  ])('with $what is as if it were not there', async ({ data }) => {
    const world = await makeWorld();
    world.kube.objects.put({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'cro-syncer', namespace: NAMESPACE },
      data,
    });
    world.startOperator();
    attachByHand(world);
    await until(world, 'given back', () => world.fabric.calls().detach === 1, 12 * MINUTE);
  });

  it('that cannot be written for a while: nothing is given back early, and all is well afterwards', async () => {
    const world = await makeWorld();
    world.startOperator();
    await bringUp(world, 'story', { size: 1 });
    const [owned] = resourcesOf(world);
    world.kube.faults.add({
      match: ({ resource, isWrite }) => resource === 'configmaps' && isWrite,
      when: 'before',
      times: 5,
      trouble: { tag: 'fail', code: 403, reason: 'Forbidden', message: 'configmaps is forbidden' },
    });
    attachByHand(world);
    await world.clock.advance(9 * MINUTE);
    expect(world.fabric.calls().detach).toBe(0);
    expect(world.log.map(({ fields }) => JSON.stringify(fields)).join()).toContain('configmaps is forbidden');
    await until(world, 'given back', () => world.fabric.calls().detach === 1, 10 * MINUTE);
    expect(resourceNamed(world, owned?.metadata.name ?? '')?.status).toMatchObject({ state: 'Online' });
    await takeDown(world, 'story');
  });
});
