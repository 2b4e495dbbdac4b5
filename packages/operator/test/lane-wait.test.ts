import { expect, it } from 'vitest';
import { putRequest, RESOURCES, runsWith, until } from './world/objects.ts';
import { makeWorld } from './world/world.ts';

it('what is found while the wait for the lane is being written is not lost', async () => {
  const world = await makeWorld({ attachMs: 4_000 });
  world.startOperator();
  putRequest(world, 'two', { size: 2 });
  await until(world, 'an attach', () => world.fabric.calls().attach === 1);
  // The second device waits for the first. That it does is told after three seconds, by a write that takes so long that
  // meanwhile the first one ends, the second one has its turn, and its ticket is ready to be saved.
  world.kube.faults.add({
    match: ({ verb, resource, subresource }) => verb === 'patch' && resource === RESOURCES && subresource === 'status',
    when: 'after',
    trouble: { tag: 'delay', ms: 5_000 },
  });
  await until(world, 'Running', () => runsWith(world, 'two', 2));
  expect(world.fabric.calls()).toMatchObject({ attach: 2, detach: 0 });
});
