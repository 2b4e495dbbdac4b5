import { expect, it } from 'vitest';
import { makeWorld } from './world/world.ts';

it('an operator that ends in the middle of a sweep leaves no timer behind, which would keep its process', async () => {
  const world = await makeWorld();
  const before = world.clock.pending;
  const life = world.startOperator();
  let killed = false;
  world.gates.before = (what) => {
    if (!what.includes('/fabric_manager/')) return;
    killed = true;
    life.kill();
  };
  await world.clock.advance(600_000);
  expect(killed).toBe(true);
  expect(world.clock.pending).toBe(before);
});
