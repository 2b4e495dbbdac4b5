import { seededRandom } from '@cro/fabric-sim';
import { describe, expect, it } from 'vitest';
import { annotate, bringUp, onlyResource, takeDown } from './world/acts.ts';
import { putRequest, REQUESTS, requestOf, RESOURCES, resourcesOf, runsWith, until } from './world/objects.ts';
import { makeWorld, type World } from './world/world.ts';

/** An autoscaler that writes annotations of every object, all the time. Answers how often it did. */
function autoscale(world: World, everyMs: number): { readonly writes: () => number; readonly stop: () => void } {
  let writes = 0;
  let on = true;
  const write = () => {
    if (!on) return;
    for (const { metadata } of resourcesOf(world)) {
      writes += 1;
      annotate(world, RESOURCES, metadata.name, {
        'cohdi.io/last-used-time': new Date(world.clock.now() + writes).toISOString(),
      });
    }
    if (requestOf(world, 'story') !== undefined)
      annotate(world, REQUESTS, 'story', { 'example.com/seen': String(writes) });
    world.clock.after(everyMs, write);
  };
  write();
  return {
    writes: () => writes,
    stop: () => {
      on = false;
    },
  };
}

describe('an autoscaler that annotates every object every 20 ms', () => {
  it('neither stops an attach nor doubles it, nor the way back', async () => {
    const world = await makeWorld({ attachMs: 1_000, detachMs: 1_000, publishDelayMs: 500 });
    world.startOperator();
    const autoscaler = autoscale(world, 20);
    await bringUp(world, 'story', { size: 2 });
    expect(autoscaler.writes()).toBeGreaterThan(50);
    expect(world.fabric.calls()).toMatchObject({ attach: 2, detach: 0 });
    await takeDown(world, 'story');
    expect(world.fabric.calls()).toMatchObject({ attach: 2, detach: 2 });
    world.fabric.assertPoolWhole();
    autoscaler.stop();
  });

  it('that writes during every request of the operator: each outcome is recorded all the same', async () => {
    const world = await makeWorld();
    world.startOperator();
    await world.clock.advance(1_000);
    let writes = 0;
    const random = seededRandom(7);
    // Just before each request arrives: whatever the operator looked at is not the newest any more.
    world.gates.before = (what) => {
      if (!what.startsWith('PATCH') && !what.startsWith('DELETE')) return;
      // Two who always met would win against each other for ever: chance decides, from a seed.
      writes += 1;
      if (random() < 0.5) return;
      for (const { metadata } of resourcesOf(world))
        annotate(world, RESOURCES, metadata.name, {
          'cohdi.io/last-used-time': new Date(world.clock.now() + writes).toISOString(),
        });
    };
    await bringUp(world, 'story', { size: 2 });
    await takeDown(world, 'story');
    expect(writes).toBeGreaterThan(10);
    expect(world.fabric.calls()).toMatchObject({ attach: 2, detach: 2 });
    world.fabric.assertPoolWhole();
  });
});

describe('a writer that wins every time', () => {
  it('keeps no outcome of a fabric call from being recorded: it is guarded by its ticket and not by the version', async () => {
    const world = await makeWorld({ attachMs: 1_000 });
    world.startOperator();
    putRequest(world, 'story', { size: 1 });
    await until(world, 'attaching', () => world.fabric.calls().attach === 1);
    world.gates.before = (what) => {
      if (!what.startsWith('PATCH') || !what.includes('/composableresources/')) return;
      for (const { metadata } of resourcesOf(world))
        annotate(world, RESOURCES, metadata.name, { 'example.com/seen': what });
    };
    await until(world, 'recorded', () => onlyResource(world).status?.cdi_device_id !== undefined, 5_000);
    expect(onlyResource(world).status?.operation).toBeUndefined();
    expect(onlyResource(world).metadata.annotations).toHaveProperty('example.com/seen');
  });
});

describe('a user that edits the request while it is served', () => {
  it('every second, between sizes: the last word counts, and nothing is left over', async () => {
    const world = await makeWorld({ attachMs: 700, detachMs: 300, devices: 5 });
    world.startOperator();
    for (const size of [3, 1, 4, 0, 2, 5, 1, 3]) {
      putRequest(world, 'story', { size });
      await world.clock.advance(1_000);
    }
    await until(world, 'the last size', () => runsWith(world, 'story', 3) && resourcesOf(world).length === 3);
    const attached = world.machines.flatMap((machine) => world.fabric.attachedTo(machine));
    expect(attached).toHaveLength(3);
    await takeDown(world, 'story');
    world.fabric.assertPoolWhole();
  });
});
