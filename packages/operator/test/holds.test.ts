import { describe, expect, it } from 'vitest';
import { annotate, bringUp, childrenOf, deleteResource, onlyResource, reasonOf, resourceNamed } from './world/acts.ts';
import { putRequest, REQUESTS, requestOf, RESOURCES, resourcesOf, runsWith, until } from './world/objects.ts';
import { NVIDIA } from './world/gpu-operator.ts';
import { makeWorld, type World } from './world/world.ts';

/* `cohdi.io/paused`: nothing new is started. `cohdi.io/detached`: the hardware is not touched. */

const PAUSED = { 'cohdi.io/paused': 'true' };
const RUNNING_AGAIN = { 'cohdi.io/paused': 'false' };
const DETACHED = { 'cohdi.io/detached': 'true' };

/** A world with a resource that is Attaching and waits for its node's driver. */
async function notVisible(): Promise<World> {
  const world = await makeWorld({ nodes: 1, byHand: true, nodeActions: { ...NVIDIA, publishWaitMs: 2000 } });
  world.nodes.setDriverUp('worker-0', false);
  world.startOperator();
  putRequest(world, 'story', { size: 1 });
  await until(world, 'attached', () => resourcesOf(world).some((one) => reasonOf(one) === 'NotVisible'));
  return world;
}

describe('a paused request', () => {
  it('plans nothing, attaches nothing and says so, until it is not paused any more', async () => {
    const world = await makeWorld();
    world.startOperator();
    putRequest(world, 'story', { size: 0 });
    annotate(world, REQUESTS, 'story', PAUSED);
    await until(world, 'paused', () => reasonOf(requestOf(world, 'story')) === 'Paused');
    putRequest(world, 'story', { size: 2 });
    await world.clock.advance(60_000);
    expect(resourcesOf(world)).toEqual([]);
    annotate(world, REQUESTS, 'story', RUNNING_AGAIN);
    await until(world, 'running', () => runsWith(world, 'story', 2), 5_000);
  });

  it('keeps its devices while it is deleted, until it is not paused any more', async () => {
    const world = await makeWorld();
    world.startOperator();
    await bringUp(world, 'story', { size: 1 });
    annotate(world, REQUESTS, 'story', PAUSED);
    world.kube.objects.delete(REQUESTS, 'story');
    await world.clock.advance(60_000);
    expect(onlyResource(world)).toMatchObject({ status: { state: 'Online' } });
    expect(reasonOf(requestOf(world, 'story'))).toBe('Paused');
    annotate(world, REQUESTS, 'story', RUNNING_AGAIN);
    await until(world, 'gone', () => requestOf(world, 'story') === undefined, 5_000);
    world.fabric.assertPoolWhole();
  });
});

describe('a paused resource', () => {
  it('that waits for its turn asks for nothing', async () => {
    const world = await makeWorld({ nodes: 1, attachMs: 20_000 });
    world.startOperator();
    putRequest(world, 'story', { size: 2 });
    await until(world, 'one waits for the lane', () =>
      resourcesOf(world).some((one) => reasonOf(one) === 'WaitingForLane'),
    );
    const waiting = resourcesOf(world).find((one) => reasonOf(one) === 'WaitingForLane')?.metadata.name ?? '';
    annotate(world, RESOURCES, waiting, PAUSED);
    await until(world, 'paused', () => reasonOf(resourceNamed(world, waiting)) === 'Paused', 5_000);
    await world.clock.advance(60_000);
    expect(world.fabric.calls().attach).toBe(1);
    annotate(world, RESOURCES, waiting, RUNNING_AGAIN);
    await until(world, 'running', () => runsWith(world, 'story', 2), 30_000);
    expect(world.fabric.calls().attach).toBe(2);
  });

  it('in the middle of an attach: the outcome is recorded, and its ticket is closed', async () => {
    const world = await makeWorld({ attachMs: 10_000 });
    world.startOperator();
    putRequest(world, 'story', { size: 1 });
    await until(world, 'attaching', () => world.fabric.calls().attach === 1);
    annotate(world, RESOURCES, onlyResource(world).metadata.name, PAUSED);
    await until(world, 'recorded', () => onlyResource(world).status?.cdi_device_id !== undefined, 15_000);
    expect(onlyResource(world).status?.operation).toBeUndefined();
    expect(world.fabric.calls().attach).toBe(1);
  });

  it('that is not visible yet stays so when it is deleted, and goes back when it is not paused any more', async () => {
    const world = await notVisible();
    const { name } = onlyResource(world).metadata;
    annotate(world, RESOURCES, name, PAUSED);
    await until(world, 'paused', () => reasonOf(resourceNamed(world, name)) === 'Paused', 5_000);
    deleteResource(world, name);
    await world.clock.advance(120_000);
    expect(world.fabric.calls().detach).toBe(0);
    annotate(world, RESOURCES, name, RUNNING_AGAIN);
    await until(world, 'gone', () => resourceNamed(world, name) === undefined, 60_000);
    expect(world.fabric.calls().detach).toBe(1);
  });

  it('that is Online and deleted stays whole until it is not paused any more', async () => {
    const world = await makeWorld();
    world.startOperator();
    const [child] = await bringUp(world, 'story', { size: 1 });
    const name = child?.metadata.name ?? '';
    annotate(world, RESOURCES, name, PAUSED);
    deleteResource(world, name);
    await until(world, 'paused', () => reasonOf(resourceNamed(world, name)) === 'Paused', 5_000);
    await world.clock.advance(120_000);
    expect(resourceNamed(world, name)?.status).toMatchObject({ state: 'Online' });
    expect(world.fabric.calls().detach).toBe(0);
    annotate(world, RESOURCES, name, RUNNING_AGAIN);
    await until(world, 'gone', () => resourceNamed(world, name) === undefined, 5_000);
  });

  it('in the middle of a detach: the fabric ends it, and that is recorded', async () => {
    const world = await makeWorld({ detachMs: 10_000 });
    world.startOperator();
    const [child] = await bringUp(world, 'story', { size: 1 });
    const name = child?.metadata.name ?? '';
    deleteResource(world, name);
    await until(world, 'detaching', () => world.fabric.calls().detach === 1);
    annotate(world, RESOURCES, name, PAUSED);
    const isReleased = () =>
      resourceNamed(world, name)?.status?.conditions?.some(({ reason }) => reason === 'Released');
    await until(world, 'recorded', () => isReleased() === true, 15_000);
    expect(resourceNamed(world, name)?.status?.operation).toBeUndefined();
    expect(world.fabric.calls().detach).toBe(1);
    annotate(world, RESOURCES, name, RUNNING_AGAIN);
    await until(world, 'gone', () => resourceNamed(world, name) === undefined, 60_000);
  });
});

describe('a detached resource', () => {
  it('before anything was attached: asks for nothing, and goes without a trace', async () => {
    const world = await makeWorld({ nodes: 1, attachMs: 20_000 });
    world.startOperator();
    putRequest(world, 'story', { size: 2 });
    await until(world, 'one waits for the lane', () =>
      resourcesOf(world).some((one) => reasonOf(one) === 'WaitingForLane'),
    );
    const waiting = resourcesOf(world).find((one) => reasonOf(one) === 'WaitingForLane')?.metadata.name ?? '';
    annotate(world, RESOURCES, waiting, DETACHED);
    await until(world, 'detached', () => reasonOf(resourceNamed(world, waiting)) === 'Detached', 5_000);
    await world.clock.advance(60_000);
    expect(world.fabric.calls().attach).toBe(1);
    deleteResource(world, waiting);
    await until(world, 'gone', () => resourceNamed(world, waiting) === undefined, 5_000);
  });

  it.each(['Online', 'Attaching'] as const)(
    'that is %s and deleted: the object goes, the device stays, and the syncer spares it until it leaves',
    async (state) => {
      const world = state === 'Online' ? await makeWorld({ nodes: 1, byHand: true }) : await notVisible();
      if (state === 'Online') {
        world.startOperator();
        await bringUp(world, 'story', { size: 1 });
      }
      const { name } = onlyResource(world).metadata;
      const id = onlyResource(world).status?.cdi_device_id ?? '';
      annotate(world, RESOURCES, name, DETACHED);
      world.kube.objects.delete(REQUESTS, 'story');
      await until(world, 'gone', () => requestOf(world, 'story') === undefined && resourcesOf(world).length === 0);
      expect(world.fabric.calls().detach).toBe(0);
      await world.clock.advance(3_600_000);
      expect(world.fabric.calls().detach).toBe(0);
      expect(resourcesOf(world)).toEqual([]);
      // It left by somebody's hand and comes again: nobody owns it, and nothing spares it any more.
      world.fabric.move(id, undefined);
      await world.clock.advance(120_000);
      world.fabric.move(id, world.machines[0]);
      await world.clock.advance(900_000);
      expect(world.fabric.calls().detach).toBe(1);
    },
  );

  it('in the middle of an attach: the outcome is recorded first, and then the device is left alone', async () => {
    const world = await makeWorld({ attachMs: 10_000 });
    world.startOperator();
    putRequest(world, 'story', { size: 1 });
    await until(world, 'attaching', () => world.fabric.calls().attach === 1);
    const { name } = onlyResource(world).metadata;
    annotate(world, RESOURCES, name, DETACHED);
    deleteResource(world, name);
    await world.clock.advance(5_000);
    expect(resourceNamed(world, name)?.status?.operation).toBeDefined();
    await until(world, 'gone', () => resourceNamed(world, name) === undefined, 10_000);
    await world.clock.advance(1_800_000);
    expect(world.fabric.calls().detach).toBe(0);
    expect(childrenOf(world, 'story').every((one) => one.metadata.name !== name)).toBe(true);
  });

  it('that is Detaching: the detach that runs ends, and nothing new is asked', async () => {
    const world = await makeWorld({ nodes: 1 });
    world.startOperator();
    const [child] = await bringUp(world, 'story', { size: 1 });
    const name = child?.metadata.name ?? '';
    await world.nodes.setReady('worker-0', false);
    deleteResource(world, name);
    await until(world, 'waits for its node', () => reasonOf(resourceNamed(world, name)) === 'NodeNotReady');
    annotate(world, RESOURCES, name, DETACHED);
    await until(world, 'gone', () => resourceNamed(world, name) === undefined, 10_000);
    await world.nodes.setReady('worker-0', true);
    await world.clock.advance(1_800_000);
    expect(world.fabric.calls().detach).toBe(0);
  });
});
