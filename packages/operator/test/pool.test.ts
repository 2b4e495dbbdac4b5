import { describe, expect, it } from 'vitest';
import { bringUp, childrenOf, eventsOf, onlyResource, reasonOf, resourceNamed, takeDown, timed } from './world/acts.ts';
import { putRequest, REQUESTS, resourcesOf, requestOf, runsWith, until } from './world/objects.ts';
import { makeWorld, type World } from './world/world.ts';

const waiting = (world: World, reason: string) => resourcesOf(world).filter((one) => reasonOf(one) === reason);

describe('an empty pool', () => {
  it('is waited for, with one warning; a device that comes back wakes the one who waits', async () => {
    const world = await makeWorld({ devices: 2 });
    world.startOperator();
    await bringUp(world, 'first', { size: 2, target_node: 'worker-0' });
    putRequest(world, 'second', { size: 1, target_node: 'worker-1' });
    await until(world, 'exhausted', () => waiting(world, 'Exhausted').length === 1);
    await world.clock.advance(595_000);
    const [child] = childrenOf(world, 'second');
    expect(eventsOf(world, child?.metadata.name)).toMatchObject([{ type: 'Warning', reason: 'Exhausted', count: 1 }]);
    expect(requestOf(world, 'second')?.status?.error).toBe(child?.status?.error);
    const took = await timed(world, async () => {
      putRequest(world, 'first', { size: 1, target_node: 'worker-0' });
      await until(world, 'served', () => runsWith(world, 'second', 1));
    });
    expect(took).toBeLessThan(2_000);
    expect(childrenOf(world, 'second')[0]?.status?.error).toBeUndefined();
  });

  it('to which a device comes back just while it is asked: the next try is soon', async () => {
    const world = await makeWorld({ devices: 1 });
    world.startOperator();
    await bringUp(world, 'first', { size: 1, target_node: 'worker-0' });
    putRequest(world, 'second', { size: 1, target_node: 'worker-1' });
    await until(world, 'exhausted', () => waiting(world, 'Exhausted').length === 1);
    await world.clock.advance(595_000);
    const { attach } = world.fabric.calls();
    world.fabric.faults.add({ kind: 'attach', effect: { tag: 'delay', ms: 5_000, when: 'afterChange' } });
    await until(world, 'asking', () => world.fabric.calls().attach > attach);
    const took = await timed(world, async () => {
      world.kube.objects.delete(REQUESTS, 'first');
      await until(world, 'served', () => runsWith(world, 'second', 1));
    });
    expect(took).toBeLessThan(10_000);
  });

  it('is asked now and then, ever more seldom: a device that somebody else gave back is found', async () => {
    const world = await makeWorld({ devices: 1, byHand: true });
    world.fabric.move(world.fabric.snapshot().free[0] ?? '', world.machines[1]);
    world.startOperator();
    putRequest(world, 'story', { size: 1, target_node: 'worker-0' });
    await until(world, 'exhausted', () => waiting(world, 'Exhausted').length === 1);
    const calls = await world.figures.fabricCallsOf(() => world.clock.advance(540_000));
    expect(calls.attach ?? 0).toBeLessThan(20);
    const [device] = world.fabric.attachedTo(world.machines[1] ?? '');
    world.fabric.move(device?.resUuid ?? '', undefined);
    const took = await timed(world, () => until(world, 'running', () => runsWith(world, 'story', 1)));
    expect(took).toBeLessThan(90_000);
  });
});

describe('machines', () => {
  it('work in parallel, and one device after the other on each', async () => {
    const world = await makeWorld({ nodes: 4, devices: 8, attachMs: 2_000, detachMs: 1_000 });
    world.startOperator();
    await world.clock.advance(1_000);
    const names = ['a', 'b', 'c', 'd'];
    const attaching = await timed(world, async () => {
      for (const name of names) putRequest(world, name, { size: 2 });
      await until(world, 'all run', () => names.every((name) => runsWith(world, name, 2)));
    });
    // Two after the other on each machine; what the operator adds is less than half a second.
    expect(attaching).toBeGreaterThanOrEqual(4_000);
    expect(attaching).toBeLessThan(4_500);
    const detaching = await timed(world, async () => {
      for (const name of names) world.kube.objects.delete(REQUESTS, name);
      await until(world, 'all gone', () => names.every((name) => requestOf(world, name) === undefined));
    });
    expect(detaching).toBeLessThan(2_500);
    for (const machine of world.machines) expect(world.fabric.maxConcurrent(machine)).toBe(1);
    world.fabric.assertPoolWhole();
  });

  it('that are waited for longer than three seconds are told in the status, without an error', async () => {
    const world = await makeWorld({ nodes: 1, attachMs: 5_000 });
    world.startOperator();
    putRequest(world, 'story', { size: 2 });
    await until(world, 'one waits', () => waiting(world, 'WaitingForLane').length === 1, 4_000);
    expect(waiting(world, 'WaitingForLane')[0]?.status?.error).toBeUndefined();
    await until(world, 'running', () => runsWith(world, 'story', 2), 10_000);
  });

  it('keep giving back while an attach waits for a device', async () => {
    const world = await makeWorld({ nodes: 1, devices: 2 });
    world.startOperator();
    await bringUp(world, 'first', { size: 2 });
    putRequest(world, 'first', { size: 3 });
    await until(world, 'exhausted', () => waiting(world, 'Exhausted').length === 1);
    putRequest(world, 'first', { size: 1 });
    await until(world, 'shrunk', () => runsWith(world, 'first', 1) && resourcesOf(world).length === 1, 5_000);
  });
});

describe('one device that fails', () => {
  it('holds none of its siblings on the same machine, and says what is wrong', async () => {
    const world = await makeWorld({ nodes: 1, devices: 3 });
    world.startOperator();
    world.fabric.faults.add({
      kind: 'attach',
      nth: 1,
      effect: {
        tag: 'answer',
        status: 400,
        body: { json: { status: 400, detail: { code: 'E02X', message: 'bad slot', data: {} } } },
      },
    });
    putRequest(world, 'story', { size: 3 });
    const online = () => resourcesOf(world).filter((one) => one.status?.state === 'Online');
    await until(world, 'two are online', () => online().length === 2, 2_000);
    const failing = resourcesOf(world).find((one) => one.status?.state !== 'Online');
    expect(failing?.status?.error).toContain("FM returned code: 'E02X', error message: 'bad slot'");
    expect(requestOf(world, 'story')?.status).toMatchObject({ state: 'Updating', error: failing?.status?.error });
    await until(world, 'running', () => runsWith(world, 'story', 3), 120_000);
    expect(resourceNamed(world, failing?.metadata.name ?? '')?.status?.error).toBeUndefined();
  });

  it('while it goes back, holds none of its siblings either', async () => {
    const world = await makeWorld({ nodes: 1, devices: 2 });
    world.startOperator();
    await bringUp(world, 'story', { size: 2 });
    const answer = { status: 404, detail: { code: 'E02XXXX', message: 'scaledown method not found', data: {} } };
    world.fabric.faults.add({ kind: 'detach', effect: { tag: 'answer', status: 404, body: { json: answer } } });
    world.kube.objects.delete(REQUESTS, 'story');
    await until(world, 'one is gone', () => resourcesOf(world).length === 1, 2_000);
    expect(onlyResource(world).status?.state).toBe('Detaching');
    expect(onlyResource(world).status?.error).toContain(
      "FM returned code: 'E02XXXX', error message: 'scaledown method not found'",
    );
    await takeDown(world, 'story', 120_000);
    world.fabric.assertPoolWhole();
  });
});
