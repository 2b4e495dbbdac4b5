import { describe, expect, it } from 'vitest';
import { bringUp, conditionOf, eventsOf, onlyResource, reasonOf, takeDown } from './world/acts.ts';
import { requestOf, resourcesOf, runsWith, until, putRequest } from './world/objects.ts';
import { makeWorld, type World } from './world/world.ts';

const MINUTE = 60_000;

describe('more devices than asked for', () => {
  it.each([true, false])('are given back (shown in the reply: %s)', async (inReply) => {
    const world = await makeWorld({ devices: 4 });
    world.fabric.faults.add({ kind: 'attach', effect: { tag: 'surplus', count: 2, inReply } });
    world.startOperator();
    await bringUp(world, 'story', { size: 1 });
    const attached = () => world.machines.flatMap((machine) => world.fabric.attachedTo(machine)).length;
    // What the reply shows goes back at once; what it hides is found as what nobody owns, after ten minutes.
    await until(
      world,
      'given back',
      () => attached() === 1 && resourcesOf(world).length === 1,
      inReply ? 5_000 : 12 * MINUTE,
    );
    expect(world.fabric.calls()).toMatchObject({ attach: 1, detach: 2 });
    expect(onlyResource(world).status).toMatchObject({ state: 'Online' });
    await takeDown(world, 'story');
    world.fabric.assertPoolWhole();
  });

  it('are found at once when the reply was lost', async () => {
    const world = await makeWorld({ devices: 4 });
    world.fabric.faults.add({ kind: 'attach', effect: { tag: 'surplus', count: 1 } });
    world.fabric.faults.add({ kind: 'attach', effect: { tag: 'loseReply', when: 'afterChange' } });
    world.startOperator();
    await bringUp(world, 'story', { size: 1 });
    await until(
      world,
      'given back',
      () => world.fabric.calls().detach === 1 && resourcesOf(world).length === 1,
      10_000,
    );
    expect(world.fabric.calls().attach).toBe(1);
  });
});

describe('a device that arrives', () => {
  it.each([
    { opStatus: '1', says: (id: string) => `the target gpu '${id}' is showing a Warning status in FM` },
    { opStatus: '2 FAILED', says: (id: string) => `the target gpu '${id}' is showing a Critical status in FM` },
    { opStatus: '3', says: (id: string) => `the target gpu '${id}' has unknown status '3' in FM` },
    {
      opStatus: '',
      says: (id: string, machine: string) => `the target gpu '${id}' on machine '${machine}' has empty status in FM`,
    },
  ])('with op status "$opStatus" is Online, tells its fault, and can be deleted', async ({ opStatus, says }) => {
    const world = await makeWorld({ nodes: 1 });
    world.fabric.faults.add({ kind: 'attach', effect: { tag: 'arrive', opStatus } });
    world.startOperator();
    await bringUp(world, 'story', { size: 1 });
    const told = () => onlyResource(world).status?.error !== undefined;
    await until(world, 'told', told, 5_000);
    const { status, metadata } = onlyResource(world);
    const error = says(status?.device_id ?? '', world.machines[0] ?? '');
    expect(status).toMatchObject({ state: 'Online', error });
    expect(conditionOf({ ...(status && { status }) }, 'Healthy')).toMatchObject({ status: 'False', message: error });
    expect(conditionOf(requestOf(world, 'story'), 'Ready')).toMatchObject({ status: 'False', reason: 'DeviceFailing' });
    await world.clock.advance(5 * MINUTE);
    expect(eventsOf(world, metadata.name)).toMatchObject([
      { type: 'Warning', reason: 'Unhealthy', message: error, count: 1 },
    ]);
    expect(world.fabric.calls().attach).toBe(1);
    await takeDown(world, 'story');
    world.fabric.assertPoolWhole();
  });
});

describe('the health of an Online device', () => {
  async function online(): Promise<{ world: World; id: string; name: string }> {
    const world = await makeWorld({ nodes: 1, byHand: true });
    world.startOperator();
    await bringUp(world, 'story', { size: 1 });
    const { status, metadata } = onlyResource(world);
    return { world, id: status?.cdi_device_id ?? '', name: metadata.name };
  }

  it('that turns bad and good again is told within a minute by the one read of its machine', async () => {
    const { world, id } = await online();
    world.fabric.setHealth(id, '2');
    await until(world, 'told', () => reasonOf(onlyResource(world)) === 'Unhealthy', MINUTE + 1_000);
    expect(onlyResource(world).status?.state).toBe('Online');
    world.fabric.setHealth(id, '0');
    await until(world, 'told', () => reasonOf(onlyResource(world)) === 'Online', MINUTE + 1_000);
    expect(onlyResource(world).status?.error).toBeUndefined();
    expect(conditionOf(onlyResource(world), 'Healthy')).toMatchObject({ status: 'True' });
    expect(runsWith(world, 'story', 1)).toBe(true);
  });

  it('that the fabric does not list any more is told as missing, and heals when it is back', async () => {
    const { world, id } = await online();
    world.fabric.move(id, undefined);
    await until(world, 'told', () => onlyResource(world).status?.error !== undefined, MINUTE + 1_000);
    const deviceId = onlyResource(world).status?.device_id ?? '';
    expect(onlyResource(world).status).toMatchObject({
      state: 'Online',
      error: `the target device '${deviceId}' cannot be found in CDI system`,
    });
    world.fabric.move(id, world.machines[0]);
    await until(world, 'healed', () => onlyResource(world).status?.error === undefined, MINUTE + 1_000);
  });

  it('of a device that is missing when it is given back: no detach, and the object goes', async () => {
    const { world, id } = await online();
    world.fabric.move(id, undefined);
    await world.clock.advance(MINUTE);
    await takeDown(world, 'story', 30_000);
    expect(world.fabric.calls().detach).toBe(0);
    world.fabric.assertPoolWhole();
  });

  it('of a device that is on another machine when it is given back: a conflict that touches nothing', async () => {
    const world = await makeWorld({ nodes: 2, byHand: true });
    world.startOperator();
    await bringUp(world, 'story', { size: 1 });
    const { status } = onlyResource(world);
    const other = world.machines.find((machine) => machine !== status?.fabric?.machine);
    world.fabric.move(status?.cdi_device_id ?? '', other);
    putRequest(world, 'story', { size: 0 });
    await until(
      world,
      'told',
      () => reasonOf(onlyResource(world)) === 'Conflict' || reasonOf(onlyResource(world)) === 'Blocked',
      30_000,
    );
    expect(onlyResource(world).status?.error).toContain(other);
    await world.clock.advance(10 * MINUTE);
    expect(world.fabric.calls().detach).toBe(0);
    expect(world.fabric.attachedTo(other ?? '')).toHaveLength(1);
  });

  it('is not forgotten by a restart: a fault stays told, and costs no write', async () => {
    const world = await makeWorld({ nodes: 1 });
    const life = world.startOperator();
    await bringUp(world, 'story', { size: 1 });
    world.fabric.setHealth(onlyResource(world).status?.cdi_device_id ?? '', '1');
    await until(world, 'told', () => reasonOf(onlyResource(world)) === 'Unhealthy');
    await world.clock.advance(MINUTE);
    life.kill();
    world.figures.forget();
    world.startOperator();
    await world.clock.advance(5 * MINUTE);
    expect(world.figures.writes()).toEqual([]);
    expect(reasonOf(onlyResource(world))).toBe('Unhealthy');
  });
});
