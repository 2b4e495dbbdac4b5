import { describe, expect, it } from 'vitest';
import { onlyResource } from './world/acts.ts';
import { putRequest, REQUESTS, requestOf, resourcesOf, runsWith, until } from './world/objects.ts';
import { makeWorld, type World } from './world/world.ts';

/** A fabric that accepts a resize and is done half a minute later. */
const slow = { manager: 'CM', attachMs: 30_000, detachMs: 5_000 } as const;

async function takeDown(world: World): Promise<void> {
  world.kube.objects.delete(REQUESTS, 'story');
  await until(world, 'gone', () => requestOf(world, 'story') === undefined && resourcesOf(world).length === 0);
  world.fabric.assertPoolWhole();
}

describe('on the Cluster Manager', () => {
  it('two devices come and go with one resize each, never two at once on a machine', async () => {
    const world = await makeWorld(slow);
    world.startOperator();
    putRequest(world, 'story', { size: 2 });
    await until(world, 'running', () => runsWith(world, 'story', 2));
    await takeDown(world);
    expect(world.fabric.calls()).toMatchObject({ attach: 2, detach: 2 });
    expect(world.machines.map((machine) => world.fabric.maxConcurrent(machine))).not.toContain(2);
  });

  it('a delete while the add is in flight waits for it, and takes the device back', async () => {
    const world = await makeWorld(slow);
    world.startOperator();
    putRequest(world, 'story', { size: 1 });
    await until(world, 'attaching', () => world.fabric.calls().attach === 1);
    world.kube.objects.delete(REQUESTS, 'story');
    await world.clock.advance(10_000);
    expect(onlyResource(world).status?.operation).toBeDefined();
    await takeDown(world);
    expect(world.fabric.calls()).toMatchObject({ attach: 1, detach: 1 });
  });

  it('an operator that dies after the resize was accepted finds its device', async () => {
    const world = await makeWorld(slow);
    const life = world.startOperator();
    putRequest(world, 'story', { size: 1 });
    await until(world, 'attaching', () => world.fabric.calls().attach === 1);
    life.kill();
    world.startOperator();
    await until(world, 'running', () => runsWith(world, 'story', 1));
    expect(world.fabric.calls().attach).toBe(1);
  });

  it('an add that fails is told with its reason and tried again; what failed is given back', async () => {
    const world = await makeWorld({ manager: 'CM' });
    world.fabric.faults.add({ kind: 'attach', effect: { tag: 'resizeFails', reason: 'no power' } });
    world.startOperator();
    putRequest(world, 'story', { size: 1 });
    const told = () => resourcesOf(world).some(({ status }) => status?.error?.includes("'no power'") === true);
    await until(world, 'told', told);
    await until(world, 'running', () => runsWith(world, 'story', 1));
    await until(world, 'given back', () => world.fabric.snapshot().reserved.length === 0);
    await takeDown(world);
  });
});
