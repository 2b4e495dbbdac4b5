import { describe, expect, it } from 'vitest';
import { bringUp, reasonOf, takeDown } from './world/acts.ts';
import { putRequest, requestOf, resourcesOf, runsWith, until } from './world/objects.ts';
import { makeWorld, settled, type World } from './world/world.ts';

async function attaching(world: World, size: number) {
  const life = world.startOperator();
  putRequest(world, 'story', { size });
  await until(world, 'attaching', () => world.fabric.calls().attach === 1);
  await world.clock.advance(4_000);
  return life;
}

describe('an orderly stop', () => {
  it('at rest is over at once', async () => {
    const world = await makeWorld();
    const { operator } = world.startOperator();
    await bringUp(world, 'story', { size: 2 });
    const began = world.clock.monotonic();
    await settled(world.clock, operator.stop(30_000));
    expect(world.clock.monotonic() - began).toBeLessThan(10);
  });

  it('in the middle of an attach waits for its outcome, saves it, and starts nothing else', async () => {
    const world = await makeWorld({ nodes: 1, attachMs: 10_000 });
    const life = await attaching(world, 2);
    expect(resourcesOf(world).map(reasonOf).sort()).toEqual(['Attaching', 'WaitingForLane']);
    await settled(world.clock, life.operator.stop(30_000));
    expect(life.operator.busy()).toBe(false);
    life.kill();
    expect(resourcesOf(world).filter(({ status }) => status?.cdi_device_id !== undefined)).toHaveLength(1);
    expect(resourcesOf(world).filter(({ status }) => status?.operation !== undefined)).toEqual([]);
    expect(world.fabric.calls().attach).toBe(1);
    await world.clock.advance(60_000);
    expect(world.fabric.calls().attach).toBe(1);
    world.startOperator();
    await until(world, 'running', () => runsWith(world, 'story', 2), 15_000);
    expect(world.fabric.calls()).toMatchObject({ attach: 2, detach: 0 });
    await takeDown(world, 'story');
    world.fabric.assertPoolWhole();
  });

  it('in the middle of a detach waits for it too', async () => {
    const world = await makeWorld({ nodes: 1, detachMs: 5_000 });
    const life = world.startOperator();
    await bringUp(world, 'story', { size: 1 });
    putRequest(world, 'story', { size: 0 });
    await until(world, 'detaching', () => world.fabric.calls().detach === 1);
    await settled(world.clock, life.operator.stop(30_000));
    life.kill();
    expect(resourcesOf(world)[0]?.status?.operation).toBeUndefined();
    world.startOperator();
    await until(world, 'gone', () => resourcesOf(world).length === 0, 10_000);
    expect(world.fabric.calls().detach).toBe(1);
  });

  it('does not wait longer than it may; the next operator finds out what became of the call', async () => {
    const world = await makeWorld({ nodes: 1, attachMs: 60_000 });
    const life = await attaching(world, 1);
    const began = world.clock.monotonic();
    await settled(world.clock, life.operator.stop(5_000));
    expect(world.clock.monotonic() - began).toBe(5_000);
    life.kill();
    world.startOperator();
    await until(world, 'running', () => runsWith(world, 'story', 1), 120_000);
    expect(world.fabric.calls().attach).toBe(1);
  });

  it('while the fabric is being read for a ticket: the read is given up, and nothing is recorded', async () => {
    const world = await makeWorld({ nodes: 1 });
    const life = world.startOperator();
    await world.clock.advance(1_000);
    world.fabric.faults.add({ kind: 'get', effect: { tag: 'delay', ms: 20_000 } });
    putRequest(world, 'story', { size: 1 });
    await until(world, 'planned', () => requestOf(world, 'story')?.status?.state === 'Updating');
    await world.clock.advance(1_000);
    const began = world.clock.monotonic();
    await settled(world.clock, life.operator.stop(30_000));
    expect(world.clock.monotonic() - began).toBeLessThan(1_000);
    life.kill();
    expect(resourcesOf(world)[0]?.status?.operation).toBeUndefined();
    world.startOperator();
    await until(world, 'running', () => runsWith(world, 'story', 1), 25_000);
    expect(world.fabric.calls().attach).toBe(1);
  });

  it('between the ticket and the call: the call is not made, and the next operator need not wait for its effect', async () => {
    const world = await makeWorld({ nodes: 1 });
    const life = world.startOperator();
    let stopped: Promise<void> | undefined;
    world.gates.after = () => {
      if (stopped === undefined && resourcesOf(world).some(({ status }) => status?.operation !== undefined))
        stopped = life.operator.stop(30_000);
    };
    putRequest(world, 'story', { size: 1 });
    await until(world, 'stopping', () => stopped !== undefined, 10_000);
    await settled(world.clock, stopped ?? Promise.reject(new Error('not stopped')));
    life.kill();
    world.gates.after = () => undefined;
    expect(world.fabric.calls().attach).toBe(0);
    expect(resourcesOf(world)[0]?.status?.operation).toBeUndefined();
    world.startOperator();
    await until(world, 'running', () => runsWith(world, 'story', 1), 5_000);
  });
});

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

it('a process that may have lost its lease asks nobody for anything any more', async () => {
  const world = await makeWorld();
  const life = world.startOperator();
  putRequest(world, 'story', { size: 1 });
  await until(world, 'running', () => runsWith(world, 'story', 1), 60_000);
  life.loseLease();
  const sent: string[] = [];
  world.gates.before = (what) => sent.push(what);
  putRequest(world, 'other', { size: 1 });
  await world.clock.advance(600_000);
  expect(sent).toEqual([]);
});
