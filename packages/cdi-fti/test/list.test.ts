import { makeGpus, makeMachines } from '@cro/fabric-sim';
import { describe, expect, test } from 'vitest';
import { contextOf, MODEL, openFabric, OTHER_MODEL, type Fabric } from './support/fabric.ts';
import { always, answer, html } from './support/steps.ts';

const machineIds = makeMachines(20).map(({ machUuid }) => machUuid);

/** Twenty machines with one device each. */
function openMany(): Fabric {
  const devices = makeGpus(20, MODEL).map((spec, index) => ({ ...spec, machine: machineIds[index] ?? '' }));
  return openFabric({ machines: makeMachines(20), devices });
}

const list = (fabric: Fabric, machines: readonly string[] = fabric.machines) =>
  fabric.settle(fabric.provider.list(machines, contextOf(fabric.provider)));

describe('list', () => {
  test('costs one token and one GET a machine, and names model, machine and health of each device', async () => {
    const fabric = openMany();
    const { devices, unreadable } = await list(fabric);
    expect(unreadable).toEqual([]);
    expect(devices).toHaveLength(20);
    const [spec] = makeGpus(1, MODEL);
    expect(devices).toContainEqual({
      machine: machineIds[0],
      type: 'gpu',
      model: MODEL,
      cdiDeviceId: spec?.resUuid,
      deviceId: spec?.serial,
      health: { level: 'ok' },
      hints: { model: MODEL },
    });
    expect(fabric.sim.calls()).toMatchObject({ token: 1, get: 20, list: 0 });
    await list(fabric);
    expect(fabric.sim.calls()).toMatchObject({ token: 1, get: 40 });
  });

  test('machines that cannot be read are named, each with its reason, and delay no other', async () => {
    const fabric = openMany();
    const [broken, unknown, silent] = fabric.machines;
    const strike = (machine: string | undefined, effect: ReturnType<typeof html> | { tag: 'hang' }) =>
      fabric.sim.faults.add({ kind: 'get', machine: machine ?? '', times: Infinity, effect });
    strike(broken, html(500));
    strike(unknown, answer(200, { data: { machines: [] } }));
    strike(silent, { tag: 'hang' });
    const { devices, unreadable } = await list(fabric);
    expect(devices).toHaveLength(17);
    const kinds = unreadable.map(({ machine, failure }) => [machine, failure.kind]);
    expect(new Map(kinds.map(([machine, kind]) => [machine, kind]))).toEqual(
      new Map([
        [broken, 'Unreachable'],
        [unknown, 'Rejected'],
        [silent, 'Unreachable'],
      ]),
    );
  });

  test('eight machines that never answer leave time for the others', async () => {
    const fabric = openMany();
    for (const machine of fabric.machines.slice(0, 8)) {
      fabric.sim.faults.add({ kind: 'get', machine, times: Infinity, effect: { tag: 'hang' } });
    }
    const context = { ...contextOf(fabric.provider), timeoutMs: 60_000 };
    const { devices, unreadable } = await fabric.settle(fabric.provider.list(fabric.machines, context));
    expect([devices.length, unreadable.length]).toEqual([12, 8]);
    expect(fabric.clock.monotonic()).toBe(30_000);
  });

  test('a machine that never answers keeps the others waiting for 5 s at most', async () => {
    const fabric = openMany();
    const [silent = ''] = fabric.machines;
    fabric.sim.faults.add({ kind: 'get', machine: silent, times: Infinity, effect: { tag: 'hang' } });
    const { devices, unreadable } = await list(fabric);
    expect([devices.length, unreadable.map(({ machine }) => machine)]).toEqual([19, [silent]]);
    expect(fabric.clock.monotonic()).toBe(5_000);
  });

  test('a machine that is asked for alone has all its time', async () => {
    const fabric = openMany();
    always(fabric, 'get', { tag: 'delay', ms: 20_000 });
    expect((await list(fabric, [fabric.machine])).unreadable).toEqual([]);
  });

  test('no more machines are read at once than is configured', async () => {
    const fabric = openFabric({ machines: makeMachines(20) }, { readsAtOnce: 3 });
    always(fabric, 'get', { tag: 'delay', ms: 100 });
    await list(fabric);
    expect(fabric.mostAtOnce()).toBe(3);
  });

  test('no more than eight machines are read at once', async () => {
    const fabric = openMany();
    always(fabric, 'get', { tag: 'delay', ms: 100 });
    await list(fabric);
    expect(fabric.mostAtOnce()).toBe(8);
  });

  test('a machine asked for twice is read once; no machine is no call', async () => {
    const fabric = openFabric();
    await list(fabric, [fabric.machine, fabric.machine]);
    expect(fabric.sim.calls().get).toBe(1);
    expect(await list(fabric, [])).toEqual({ devices: [], unreadable: [] });
    expect(fabric.sim.calls().get).toBe(1);
  });

  test('sick devices, devices without serial number and other models are listed; memory modules are not', async () => {
    const machine = machineIds[0] ?? '';
    const [other] = makeGpus(1, OTHER_MODEL, 1);
    const devices = [
      ...makeGpus(1, MODEL).map((spec) => ({ ...spec, machine, opStatus: '2' })),
      { ...other, type: 'gpu', model: OTHER_MODEL, serial: '', resUuid: 'other', machine },
      { type: 'cxlmemory', model: 'CXL-64G', serial: 'S1', resUuid: 'cxl', machine },
      { type: 'mem', model: 'DDR5', serial: '', resUuid: 'mem', machine },
    ];
    const listing = await list(openFabric({ devices }));
    expect(
      listing.devices.map(({ type, model, health, deviceId }) => [type, model, health.level, deviceId !== undefined]),
    ).toEqual([
      ['gpu', MODEL, 'critical', true],
      ['gpu', OTHER_MODEL, 'ok', false],
      ['cxlmemory', 'CXL-64G', 'ok', true],
    ]);
  });

  test('an answer in which a device has no id is not half believed', async () => {
    const fabric = openMany();
    const effect = { tag: 'omitFields', fields: ['res_uuid'] } as const;
    fabric.sim.faults.add({ kind: 'get', machine: fabric.machine, effect });
    const { unreadable } = await list(fabric);
    expect(unreadable).toEqual([
      {
        machine: fabric.machine,
        failure: {
          kind: 'Protocol',
          message:
            'failed to unmarshal FM get machine response body into machineData: data.machines[0].resources[0].res_uuid: found nothing, accepted: string matching ^[A-Za-z0-9][A-Za-z0-9._:@-]{0,255}$ (HTTP 200)',
        },
      },
    ]);
  });
});

describe('inventory', () => {
  const count = (fabric: Fabric, model = MODEL) => {
    const query = { type: 'gpu', model, machine: fabric.machine } as const;
    return fabric.settle(fabric.provider.inventory(query, contextOf(fabric.provider)));
  };

  test('counts what is free', async () => {
    const fabric = openFabric();
    expect(await count(fabric)).toEqual({ tag: 'free', count: 4 });
    expect(await count(fabric, 'no-such & model="x"')).toEqual({ tag: 'free', count: 0 });
  });

  test('says why it cannot', async () => {
    const fabric = openFabric();
    fabric.sim.faults.add({ kind: 'inventory', effect: answer(200, {}) });
    expect(await count(fabric)).toMatchObject({ tag: 'unknown', failure: { kind: 'Protocol' } });
  });
});
