import { makeGpus, makeMachines } from '@cro/fabric-sim';
import { describe, expect, test } from 'vitest';
import { attachOne, openCm, start, strike, ticketFor, toAttach, toDetach } from '../support/cm.ts';
import { contextOf, MODEL } from '../support/fabric.ts';
import { html } from '../support/steps.ts';

function openMany() {
  const machines = makeMachines(20);
  const devices = makeGpus(20, MODEL).map((spec, index) => ({ ...spec, machine: machines[index]?.machUuid ?? '' }));
  return openCm({ machines, devices });
}

const list = (world: ReturnType<typeof openCm>) =>
  world.settle(world.provider.list(world.machines, contextOf(world.provider)));

describe('list', () => {
  test('costs one call a machine, with model, both ids and health', async () => {
    const world = openMany();
    const { devices, unreadable } = await list(world);
    expect([devices.length, unreadable]).toEqual([20, []]);
    const [first] = makeGpus(1, MODEL);
    expect(devices[0]).toEqual({
      machine: world.machine,
      type: 'gpu',
      model: MODEL,
      cdiDeviceId: first?.resUuid,
      deviceId: first?.serial,
      health: { level: 'ok' },
      hints: { model: MODEL },
    });
    expect(world.sim.calls()).toMatchObject({ token: 1, get: 20, list: 0 });
  });

  test('one bad machine is named and hides no other', async () => {
    const world = openMany();
    world.sim.faults.add({ kind: 'get', machine: world.machine, times: Infinity, effect: html(404) });
    const { devices, unreadable } = await list(world);
    expect(devices).toHaveLength(19);
    const message =
      "failed to process CM get request. http returned status: 404, and the body is not an error of CM: invalid character '<' looking for beginning of value";
    expect(unreadable).toEqual([{ machine: world.machine, failure: { kind: 'Protocol', message } }]);
  });

  test.each([
    ['0 OK', 'ok', ''],
    ['1', 'warning', ' is showing a Warning status in CM'],
    ['2', 'critical', ' is showing a Critical status in CM'],
    ['3', 'unknown', " has unknown status '3' in CM"],
    ['', 'unknown', " on machine '00000000-5000-4000-8000-000000000000' has empty status in CM"],
  ])('health %j', async (opStatus, level, told) => {
    const world = openCm();
    const { cdiDeviceId, deviceId } = await attachOne(world);
    world.sim.setHealth(cdiDeviceId, opStatus);
    const health = level === 'ok' ? { level } : { level, message: `the target gpu '${deviceId}'${told}` };
    expect((await list(world)).devices).toMatchObject([{ health }]);
  });

  test('devices on their way in or out are left out', async () => {
    const world = openCm({ attachMs: 10_000, detachMs: 10_000 });
    const device = await attachOne(world);
    await start(world, await ticketFor(world, toDetach(world, device)));
    expect((await list(world)).devices).toEqual([]);
    await world.clock.advance(10_000);
    await start(world, await ticketFor(world, toAttach(world)));
    expect((await list(world)).devices).toEqual([]);
    await world.clock.advance(10_000);
    expect((await list(world)).devices).toHaveLength(1);
  });

  test('a device without ids, and one without details, break nothing', async () => {
    const world = openCm();
    const { deviceId } = await attachOne(world);
    strike(world, 'get', { tag: 'omitFields', fields: ['device_id', 'detail'] });
    expect((await list(world)).devices).toEqual([]);
    strike(world, 'get', { tag: 'omitFields', fields: ['detail'] });
    expect((await list(world)).devices).toMatchObject([{ deviceId, cdiDeviceId: deviceId }]);
  });
});

test('inventory is the Fabric Manager’s count', async () => {
  const world = openCm();
  const query = { type: 'gpu', model: MODEL, machine: world.machine } as const;
  const count = () => world.settle(world.provider.inventory(query, contextOf(world.provider)));
  expect(await count()).toEqual({ tag: 'free', count: 4 });
  strike(world, 'inventory', html(404));
  expect(await count()).toMatchObject({ tag: 'unknown' });
});
