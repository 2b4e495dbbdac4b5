import { beforeAll, describe, expect, it } from 'vitest';
import { bringUp, takeDown } from './world/acts.ts';
import { putRequest, REQUESTS, requestOf, resourcesOf, runsWith, until } from './world/objects.ts';
import { makeWorld, type Life, type World } from './world/world.ts';

/* What the operator costs the API server and the fabric. */

const MINUTE = 60_000;

describe('writes', () => {
  it('of a request of two, events included: at most 5 a device to attach', async () => {
    const world = await makeWorld();
    world.startOperator();
    await world.clock.advance(1_000);
    await bringUp(world, 'story', { size: 2 });
    await world.clock.advance(5_000);
    const attaching = world.figures.writes();
    expect(attaching.length / 2).toBeLessThanOrEqual(5);
    expect(attaching.every((write) => /20[01]$/.test(write))).toBe(true);
  });

  it('of a request whose devices take their time: it copies each arrival, and no state on the way there', async () => {
    const world = await makeWorld({ attachMs: 2_500 });
    world.startOperator();
    await world.clock.advance(1_000);
    world.figures.forget();
    await bringUp(world, 'story', { size: 2 });
    const written = world.figures.writes().filter((write) => write.includes('composabilityrequests'));
    // The plan, the first device's ids, that it is Online, and Running with the second.
    expect(written.filter((write) => write.includes('/status'))).toHaveLength(4);
  });

  it('of a device that takes minutes: that it is on its way is copied', async () => {
    const world = await makeWorld({ attachMs: 60_000 });
    world.startOperator();
    putRequest(world, 'story', { size: 1 });
    await world.clock.advance(15_000);
    const states = Object.values(requestOf(world, 'story')?.status?.resources ?? {}).map(({ state }) => state);
    expect(states).toEqual(['Attaching']);
  });

  it('of a request of two that is deleted, its fence and events included: at most 8 a device', async () => {
    const world = await makeWorld();
    world.startOperator();
    await bringUp(world, 'story', { size: 2 });
    await world.clock.advance(5_000);
    world.figures.forget();
    await takeDown(world, 'story');
    await world.clock.advance(5_000);
    expect(world.figures.writes().length / 2).toBeLessThanOrEqual(8);
    expect(world.figures.writes().filter((write) => write.includes('devicetaintrules'))).toHaveLength(4);
  });

  it('of a request whose devices take their time to leave: that it is Cleaning, and no state on the way', async () => {
    const world = await makeWorld({ detachMs: 2_500 });
    world.startOperator();
    await bringUp(world, 'story', { size: 2 });
    await world.clock.advance(5_000);
    world.figures.forget();
    await takeDown(world, 'story');
    const written = world.figures.writes().filter((write) => write.includes('composabilityrequests'));
    expect(written.filter((write) => write.includes('/status'))).toHaveLength(1);
  });

  it('of devices that wait for each other to leave: nothing, unless it takes ten seconds', async () => {
    const writesOf = async (detachMs: number) => {
      const world = await makeWorld({ nodes: 1, detachMs });
      world.startOperator();
      await bringUp(world, 'story', { size: 3 });
      await world.clock.advance(5_000);
      world.figures.forget();
      await takeDown(world, 'story');
      const written = world.figures.writes();
      return written.filter((write) => write.includes('composableresources') && write.includes('/status')).length / 3;
    };
    // That it is leaving, the ticket, and that it has left.
    expect(await writesOf(4_000)).toBe(3);
    // Two of three are told to wait.
    expect(await writesOf(12_000)).toBeCloseTo(3 + 2 / 3);
  });

  it('of a device that takes minutes to leave: that it is on its way is copied', async () => {
    const world = await makeWorld({ detachMs: 60_000 });
    world.startOperator();
    await bringUp(world, 'story', { size: 1 });
    world.kube.objects.delete(REQUESTS, 'story');
    await world.clock.advance(15_000);
    const states = Object.values(requestOf(world, 'story')?.status?.resources ?? {}).map(({ state }) => state);
    expect(states).toEqual(['Detaching']);
  });

  it('of requests of four that are deleted, its fence and events included: at most 8 a device', async () => {
    const world = await makeWorld({ devices: 8 });
    world.startOperator();
    const names = ['a', 'b'];
    for (const name of names) await bringUp(world, name, { size: 4 });
    await world.clock.advance(5_000);
    world.figures.forget();
    for (const name of names) await takeDown(world, name);
    await world.clock.advance(5_000);
    expect(world.figures.writes().length / 8).toBeLessThanOrEqual(8);
    expect(world.figures.writes().filter((write) => write.includes('devicetaintrules'))).toHaveLength(16);
  });

  it('of a device that becomes visible later: at most one more', async () => {
    const world = await makeWorld({ publishDelayMs: 3_000 });
    world.startOperator();
    await world.clock.advance(1_000);
    const began = world.clock.monotonic();
    await bringUp(world, 'story', { size: 1 });
    // The ResourceSlice's event wakes it: no poll.
    expect(world.clock.monotonic() - began).toBeLessThan(3_100);
    await world.clock.advance(5_000);
    const children = world.figures.writes().filter((write) => write.includes('composableresources'));
    expect(children).toEqual([
      'create composableresources.cro.hpsys.ibm.ie.com 201',
      'patch composableresources.cro.hpsys.ibm.ie.com/status 200',
      'patch composableresources.cro.hpsys.ibm.ie.com/status 200',
      'patch composableresources.cro.hpsys.ibm.ie.com/status 200',
    ]);
  });
});

describe('fabric calls', () => {
  it('of a device: one attach, one detach, and few reads', async () => {
    const world = await makeWorld({ nodes: 1 });
    world.startOperator();
    await world.clock.advance(1_000);
    const calls = await world.figures.fabricCallsOf(async () => {
      await bringUp(world, 'story', { size: 1 });
      await takeDown(world, 'story');
    });
    expect(calls).toEqual({ attach: 1, detach: 1, get: 2 });
  });
});

describe('the steady state of 20 devices on 4 nodes', () => {
  let world: World;
  let life: Life;
  beforeAll(async () => {
    world = await makeWorld({ nodes: 4, devices: 20 });
    life = world.startOperator();
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names) putRequest(world, name, { size: 5 });
    await until(world, 'all run', () => names.every((name) => runsWith(world, name, 5)));
    await world.clock.advance(2 * MINUTE);
    world.figures.forget();
  });

  it('costs no request to the API server and one fabric read a machine and minute', async () => {
    const calls = await world.figures.fabricCallsOf(() => world.clock.advance(10 * MINUTE));
    expect(world.figures.requests()).toEqual([]);
    expect(calls).toEqual({ get: 40 });
  });

  it('and so does a restart, once everything was read', async () => {
    life.kill();
    life = world.startOperator();
    await world.clock.advance(30_000);
    expect(world.figures.writes()).toEqual([]);
    world.figures.forget();
    const calls = await world.figures.fabricCallsOf(() => world.clock.advance(5 * MINUTE));
    expect(world.figures.requests()).toEqual([]);
    expect(calls).toEqual({ get: 20 });
    expect(resourcesOf(world)).toHaveLength(20);
  });

  it('nor do watches that end, are cut, or must begin anew', async () => {
    for (const how of ['end', 'cut'] as const) {
      world.kube.closeWatches(how);
      world.kube.compact();
      await world.clock.advance(MINUTE);
    }
    expect(world.figures.writes()).toEqual([]);
    expect(world.fabric.calls()).toMatchObject({ attach: 20, detach: 0 });
  });
});
