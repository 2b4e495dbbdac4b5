import { describe, expect, it } from 'vitest';
import { bringUp, childrenOf, deleteResource, edit, onlyResource, resourceNamed, takeDown } from './world/acts.ts';
import { putRequest, REQUESTS, requestOf, RESOURCES, resourcesOf, runsWith, until } from './world/objects.ts';
import { makeWorld, type World } from './world/world.ts';

const FINALIZERS = ['com.ie.ibm.hpsys/finalizer'];

function dropFinalizers(world: World, resource: string, name: string): void {
  edit(world, resource, name, (object) => {
    const { finalizers: _finalizers, ...metadata } = object['metadata'] as Record<string, unknown>;
    return { ...object, metadata };
  });
}

describe('an early delete', () => {
  it('during a slow attach: the device is taken back, with one attach and one detach', async () => {
    const world = await makeWorld({ attachMs: 30_000 });
    world.startOperator();
    putRequest(world, 'story', { size: 1 });
    await until(world, 'attaching', () => world.fabric.calls().attach === 1);
    world.kube.objects.delete(REQUESTS, 'story');
    await world.clock.advance(10_000);
    expect(onlyResource(world).status?.operation).toBeDefined();
    await takeDownWhole(world);
    expect(world.fabric.calls()).toMatchObject({ attach: 1, detach: 1 });
  });

  it('of one that waits for its turn: gone at once, and the fabric is not asked for it', async () => {
    const world = await makeWorld({ nodes: 1, attachMs: 30_000 });
    world.startOperator();
    putRequest(world, 'story', { size: 3 });
    await until(world, 'attaching', () => world.fabric.calls().attach === 1);
    world.kube.objects.delete(REQUESTS, 'story');
    await until(world, 'those that wait are gone', () => resourcesOf(world).length === 1, 2_000);
    await takeDownWhole(world);
    expect(world.fabric.calls()).toMatchObject({ attach: 1, detach: 1 });
  });

  it('before the operator starts: nothing is asked of the fabric but what is there', async () => {
    const world = await makeWorld();
    putRequest(world, 'story', { size: 1 });
    world.kube.objects.delete(REQUESTS, 'story');
    world.startOperator();
    await world.clock.advance(60_000);
    expect(requestOf(world, 'story')).toBeUndefined();
    expect(world.fabric.calls().attach).toBe(0);
  });

  async function takeDownWhole(world: World): Promise<void> {
    await until(world, 'gone', () => requestOf(world, 'story') === undefined && resourcesOf(world).length === 0);
    world.fabric.assertPoolWhole();
  }
});

describe('a child that is deleted by hand', () => {
  it('while Running: it goes back and another one takes its place; the other device is not touched', async () => {
    const world = await makeWorld();
    world.startOperator();
    const [first, second] = await bringUp(world, 'story', { size: 2 });
    deleteResource(world, first?.metadata.name ?? '');
    const isOver = () => runsWith(world, 'story', 2) && resourceNamed(world, first?.metadata.name ?? '') === undefined;
    await until(world, 'replaced', isOver, 10_000);
    expect(childrenOf(world, 'story').map(({ metadata }) => metadata.name)).toContain(second?.metadata.name);
    expect(resourceNamed(world, second?.metadata.name ?? '')?.status).toMatchObject({
      cdi_device_id: second?.status?.cdi_device_id,
    });
    expect(world.fabric.calls()).toMatchObject({ attach: 3, detach: 1 });
  });
});

describe('an owner link that is removed by hand', () => {
  it('comes back in one write, beside other owners', async () => {
    const world = await makeWorld();
    world.startOperator();
    const [child] = await bringUp(world, 'story', { size: 1 });
    const other = { apiVersion: 'v1', kind: 'Node', name: 'worker-0', uid: 'uid-of-the-node', controller: true };
    const linked = onlyResource(world);
    world.kube.objects.put({ ...linked, metadata: { ...linked.metadata, ownerReferences: [other] } });
    const owners = () => onlyResource(world).metadata.ownerReferences ?? [];
    await until(world, 'back', () => owners().length === 2, 5_000);
    const [given] = child?.metadata.ownerReferences ?? [];
    expect(given).toMatchObject({ kind: 'ComposabilityRequest', name: 'story', controller: true });
    expect(owners()).toEqual([other, { ...given, controller: false }]);
    const version = onlyResource(world).metadata.resourceVersion;
    await world.clock.advance(30_000);
    expect(onlyResource(world).metadata.resourceVersion).toBe(version);
    expect(requestOf(world, 'story')?.status?.state).toBe('Running');
    expect(world.fabric.calls()).toMatchObject({ attach: 1, detach: 0 });
  });
});

describe('a finalizer that is removed by hand', () => {
  it('comes back on the request and on the resource', async () => {
    const world = await makeWorld();
    world.startOperator();
    const [child] = await bringUp(world, 'story', { size: 1 });
    dropFinalizers(world, REQUESTS, 'story');
    dropFinalizers(world, RESOURCES, child?.metadata.name ?? '');
    await until(
      world,
      'back',
      () =>
        requestOf(world, 'story')?.metadata.finalizers !== undefined &&
        onlyResource(world).metadata.finalizers !== undefined,
      5_000,
    );
    expect(requestOf(world, 'story')?.metadata.finalizers).toEqual(FINALIZERS);
    expect(onlyResource(world).metadata.finalizers).toEqual(FINALIZERS);
    expect(requestOf(world, 'story')?.status?.state).toBe('Running');
  });

  it('of a resource that is deleted: its device goes back after 10 minutes, and another one came at once', async () => {
    const world = await makeWorld();
    world.startOperator();
    const [child] = await bringUp(world, 'story', { size: 1 });
    const name = child?.metadata.name ?? '';
    dropFinalizers(world, RESOURCES, name);
    world.kube.objects.delete(RESOURCES, name);
    await until(
      world,
      'replaced',
      () => runsWith(world, 'story', 1) && resourceNamed(world, name) === undefined,
      10_000,
    );
    expect(world.fabric.calls()).toMatchObject({ attach: 2, detach: 0 });
    await world.clock.advance(720_000);
    expect(world.fabric.calls()).toMatchObject({ attach: 2, detach: 1 });
    expect(resourcesOf(world)).toHaveLength(1);
    await takeDown(world, 'story');
    world.fabric.assertPoolWhole();
  });

  it('leaves the finalizers of others alone', async () => {
    const world = await makeWorld();
    world.startOperator();
    const [child] = await bringUp(world, 'story', { size: 1 });
    const name = child?.metadata.name ?? '';
    edit(world, RESOURCES, name, (object) => ({
      ...object,
      metadata: { ...(object['metadata'] as object), finalizers: ['example.com/audit', ...FINALIZERS] },
    }));
    world.kube.objects.delete(REQUESTS, 'story');
    await until(world, 'ours is off', () => resourceNamed(world, name)?.metadata.finalizers?.length === 1, 10_000);
    expect(resourceNamed(world, name)?.metadata.finalizers).toEqual(['example.com/audit']);
    world.fabric.assertPoolWhole();
    await world.clock.advance(600_000);
    expect(requestOf(world, 'story')?.status?.state).toBe('Cleaning');
    dropFinalizers(world, RESOURCES, name);
    world.kube.objects.delete(RESOURCES, name);
    await until(world, 'gone', () => requestOf(world, 'story') === undefined, 10_000);
  });
});
