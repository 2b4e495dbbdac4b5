import { makeGpus } from '@cro/fabric-sim';
import { describe, expect, test } from 'vitest';
import {
  attachOne,
  carryOut,
  openCm,
  prepare,
  resume,
  resumeToEnd,
  start,
  strike,
  ticketFor,
  toAttach,
  toDetach,
} from '../support/cm.ts';
import { answer } from '../support/steps.ts';

const reason = 'remove failed due to some reasons';

describe('a detach', () => {
  test('names the device and says how many are left', async () => {
    const world = openCm({ detachMs: 8_000 });
    await attachOne(world);
    const device = await attachOne(world);
    expect(await carryOut(world, toDetach(world, device))).toEqual({ tag: 'done' });
    const post = world.sent.findLast(({ method }) => method === 'POST');
    const named = { spec_uuid: '00000000-8000-4000-8000-000000000001', device_count: 1, devices: [device.deviceId] };
    expect(post?.body).toBe(JSON.stringify({ remove_resources: named }));
    expect(world.sim.calls()).toMatchObject({ attach: 2, detach: 1 });
  });

  test('is noticed within a second of its end, at a call a second', async () => {
    const world = openCm({ detachMs: 30_300 });
    const device = await attachOne(world);
    const ticket = await ticketFor(world, toDetach(world, device));
    const began = world.clock.monotonic();
    await start(world, ticket);
    const { outcome, looks } = await resumeToEnd(world, ticket);
    expect([outcome, looks, world.clock.monotonic() - began]).toEqual([{ tag: 'done' }, 32, 31_000]);
  });

  test('that fails says why and leaves the device; trying again does not believe the old word', async () => {
    const world = openCm({ detachMs: 3_000 });
    const device = await attachOne(world);
    const message = `CM failed to remove gpu '${device.deviceId}': '${reason}'`;
    strike(world, 'detach', { tag: 'resizeFails', reason });
    expect(await carryOut(world, toDetach(world, device))).toEqual({
      tag: 'notDone',
      failure: { kind: 'Unreachable', message },
    });
    const ticket = await ticketFor(world, toDetach(world, device));
    expect(await resume(world, ticket)).toMatchObject({ tag: 'unchanged', failure: { message } });
    await start(world, ticket);
    expect((await resumeToEnd(world, ticket)).outcome).toEqual({ tag: 'done' });
  });

  test('that takes another device away is told, and nothing more is asked until a person has mended it', async () => {
    const world = openCm();
    const other = await attachOne(world);
    const device = await attachOne(world);
    strike(world, 'detach', { tag: 'wrongDevice' });
    const ticket = await ticketFor(world, toDetach(world, device));
    await start(world, ticket);
    const message = `CM took device '${other.cdiDeviceId}' away from machine '${world.machine}' instead of '${device.cdiDeviceId}': remove '${device.cdiDeviceId}' in CM by hand, and give its owner another '${other.cdiDeviceId}'`;
    expect(await resume(world, ticket)).toEqual({ tag: 'inDoubt', failure: { kind: 'Blocked', message } });
    expect(world.sim.calls().detach).toBe(1);
    world.sim.move(device.cdiDeviceId, undefined);
    expect(await resume(world, ticket)).toEqual({ tag: 'done' });
  });

  test('while the add is in flight waits, and takes the device back', async () => {
    const world = openCm({ attachMs: 20_000, detachMs: 2_000 });
    const adding = await ticketFor(world, toAttach(world));
    await start(world, adding);
    const [coming] = makeGpus(1, 'x');
    const early = await prepare(world, toDetach(world, { cdiDeviceId: coming?.resUuid ?? '' }));
    expect(early).toMatchObject({ tag: 'failed', failure: { kind: 'Busy' } });
    const { outcome } = await resumeToEnd(world, adding);
    if (outcome.tag !== 'done' || outcome.device === undefined) throw new Error(JSON.stringify(outcome));
    expect(await carryOut(world, toDetach(world, outcome.device))).toEqual({ tag: 'done' });
    world.sim.assertPoolWhole();
  });

  test('finds a device that another spec lists', async () => {
    const world = openCm();
    const device = await attachOne(world);
    const request = { ...toDetach(world, device), model: 'renamed since' };
    expect(await carryOut(world, request)).toEqual({ tag: 'done' });
    world.sim.assertPoolWhole();
  });

  test('of what is gone is a success after a second look; nothing listed at all is no proof', async () => {
    const world = openCm();
    const before = world.sim.calls().get;
    expect(await prepare(world, toDetach(world, { cdiDeviceId: 'gone' }))).toEqual({ tag: 'already' });
    expect(world.sim.calls().get - before).toBe(2);
    strike(world, 'get', { tag: 'emptyLists', fields: ['resspecs'] });
    const told = await prepare(world, toDetach(world, { cdiDeviceId: 'gone' }));
    expect(told).toMatchObject({ tag: 'failed', failure: { kind: 'Protocol' } });
  });

  test('whose id now stands for another device touches nothing', async () => {
    const world = openCm();
    const { cdiDeviceId } = await attachOne(world);
    const told = await prepare(world, toDetach(world, { cdiDeviceId, deviceId: 'GPU-old' }));
    expect(told).toMatchObject({ tag: 'failed', failure: { kind: 'Conflict' } });
    expect(world.sim.calls().detach).toBe(0);
  });

  test('by a process that died before the answer is found by reads', async () => {
    const world = openCm({ detachMs: 10_000 });
    const device = await attachOne(world);
    const ticket = await ticketFor(world, toDetach(world, device));
    strike(world, 'detach', { tag: 'loseReply', when: 'afterChange' });
    expect(await start(world, ticket)).toMatchObject({ tag: 'inDoubt', failure: { kind: 'InDoubt' } });
    expect((await resumeToEnd(world, ticket, world.restart())).outcome).toEqual({ tag: 'done' });
    expect(world.sim.calls().detach).toBe(1);
  });

  test('is not ended by an answer of another machine', async () => {
    const world = openCm();
    const device = await attachOne(world);
    const ticket = await ticketFor(world, toDetach(world, device));
    strike(world, 'get', answer(200, { data: { cluster: { machine: { uuid: 'another', resspecs: [] } } } }));
    expect(await resume(world, ticket)).toMatchObject({ tag: 'inDoubt', failure: { kind: 'Protocol' } });
  });
});
