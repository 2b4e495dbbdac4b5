import { describe, expect, it } from 'vitest';
import { putRequest, REQUESTS, requestOf, resourcesOf, runsWith, until } from './world/objects.ts';
import { makeWorld } from './world/world.ts';

describe('the life of a request', () => {
  it('attaches two devices on one node, and gives them back', async () => {
    const world = await makeWorld();
    world.startOperator();
    putRequest(world, 'two', { size: 2 });
    await until(world, 'Running', () => runsWith(world, 'two', 2));
    expect(new Set(resourcesOf(world).map((one) => one.spec.target_node)).size).toBe(1);
    world.kube.objects.delete(REQUESTS, 'two');
    await until(world, 'gone', () => requestOf(world, 'two') === undefined);
    world.fabric.assertPoolWhole();
    expect(world.fabric.calls()).toMatchObject({ attach: 2, detach: 2, token: 1 });
    expect(world.log.filter((line) => line.level === 'error')).toEqual([]);
  });
});
