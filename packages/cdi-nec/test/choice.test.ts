import { makeGpus } from '@cro/fabric-sim';
import { describe, expect, test } from 'vitest';
import {
  attachOne,
  attachRequest,
  BASE,
  carryOut,
  contextOf,
  detachRequest,
  MODEL,
  openCdim,
  prepare,
  ticketFor,
  type World,
} from './support/cdim.ts';

const chosen = async (world: World, claimed: string[] = []) => {
  const outcome = await prepare(world, attachRequest(world, { claimed }));
  return outcome.tag === 'ticket' ? outcome.ticket.payload['cdiDeviceId'] : outcome;
};
const exhausted = {
  tag: 'failed',
  failure: { kind: 'Exhausted', message: `CDIM has no free gpu of model '${MODEL}'` },
};

describe('which device is chosen', () => {
  test('the first by id that is neither claimed, nor sick, nor under maintenance, nor built in', async () => {
    const world = openCdim({ devices: makeGpus(6, MODEL) });
    const [a = '', b = '', c = '', d = '', e = '', f] = world.gpus;
    world.sim.move(a, world.machines[1]);
    world.sim.setAvailable(c, false);
    world.sim.setBuiltIn(d, world.machine);
    world.sim.setHealth(e, '2');
    expect(await chosen(world, [b])).toBe(f);
    expect(await chosen(world, [b, f ?? ''])).toEqual(exhausted);
  });

  test('one of the resource groups that are configured', async () => {
    const world = openCdim({}, { resourceGroups: ['ours', 'also-ours'] });
    expect(await chosen(world)).toEqual(exhausted);
    world.sim.setGroups(world.gpus[2] ?? '', ['also-ours']);
    expect(await chosen(world)).toBe(world.gpus[2]);
  });

  test('one that is still free when it is looked at again', async () => {
    const world = openCdim({ viewLagMs: Infinity }, { hwControl: BASE });
    world.sim.move(world.gpus[0] ?? '', world.machines[1]);
    expect(await chosen(world)).toBe(world.gpus[1]);
  });

  test('in the shape of newer versions maintenance counts too', async () => {
    const world = openCdim();
    const device = { deviceID: 'gpu-1', type: 'GPU', model: MODEL, links: [] };
    const json = { resources: [{ device, annotation: { systemItems: { available: false } } }] };
    world.sim.faults.add({ kind: 'inventory', effect: { tag: 'answer', status: 200, body: { json } } });
    expect(await chosen(world)).toEqual(exhausted);
  });

  test('no type but gpu, no unknown machine, no id that a URL may not hold', async () => {
    const world = openCdim();
    for (const changes of [{ type: 'cxlmemory' as const }, { machine: 'nowhere' }, { machine: '../../nodes' }]) {
      const told = await prepare(world, attachRequest(world, changes));
      expect(told).toMatchObject({ tag: 'failed', failure: { kind: 'Rejected' } });
    }
    const told = await prepare(world, detachRequest(world, '../x'));
    expect(told).toMatchObject({ tag: 'failed', failure: { kind: 'Rejected' } });
    expect(world.sent.every(({ url }) => !url.includes('..'))).toBe(true);
  });

  test('a machine without adapters in the product is told', async () => {
    const world = openCdim({}, { dialect: 'product' });
    expect(await chosen(world)).toMatchObject({
      failure: { kind: 'Blocked', message: expect.stringContaining('adapter') as string },
    });
  });
});

describe('what is detached', () => {
  test('nothing that is on another machine, or part of its server', async () => {
    const world = openCdim();
    const [a = '', b = ''] = world.gpus;
    world.sim.move(a, world.machines[1]);
    expect(await prepare(world, detachRequest(world, a))).toMatchObject({ failure: { kind: 'Conflict' } });
    world.sim.move(b, world.machine);
    world.sim.setBuiltIn(b, world.machine);
    expect(await prepare(world, detachRequest(world, b))).toMatchObject({ failure: { kind: 'Rejected' } });
    expect(await prepare(world, detachRequest(world, 'no-such'))).toEqual({ tag: 'already' });
    const unknown = await prepare(world, detachRequest(world, '', 'GPU-1'));
    expect(unknown).toMatchObject({ failure: { kind: 'Blocked' } });
    expect(world.sim.calls().detach).toBe(0);
  });

  test('is not believed gone before a synchronisation, where one can be asked for', async () => {
    const world = openCdim({ viewLagMs: Infinity, syncMs: 2_000 }, { exporter: BASE });
    const [gpu = ''] = world.gpus;
    world.sim.move(gpu, world.machine);
    expect(await prepare(world, detachRequest(world, gpu))).toMatchObject({ tag: 'failed', failure: { kind: 'Busy' } });
    await world.clock.advance(5_000);
    await ticketFor(world, detachRequest(world, gpu));
    world.sim.move(gpu, undefined);
    world.sim.sync();
    expect(await prepare(world, detachRequest(world, gpu))).toEqual({ tag: 'already' });
  });

  test('is done when somebody else has taken it away meanwhile', async () => {
    const world = openCdim();
    const gpu = await attachOne(world);
    const conflict = { status: 'SUSPENDED', code: 'EF011BAS000', happened: true } as const;
    world.sim.faults.add({ kind: 'detach', effect: { tag: 'applyEnds', end: conflict } });
    expect(await carryOut(world, detachRequest(world, gpu))).toEqual({ tag: 'done' });
  });
});

describe('listing and counting', () => {
  const machines = 50;

  test('cost one call each, however many machines and devices there are', async () => {
    const { makeMachines } = await import('@cro/fabric-sim');
    const specs = makeMachines(machines);
    const devices = makeGpus(200, MODEL).map((gpu, index) => ({
      ...gpu,
      machine: specs[index % machines]?.machUuid ?? '',
    }));
    const world = openCdim({ machines: specs, devices: [...devices, ...makeGpus(3, MODEL, 1)] });
    world.sim.setBuiltIn(world.gpus[0] ?? '', world.machine);
    world.sim.setAvailable(world.gpus[1] ?? '', false);
    const listing = await world.settle(world.provider.list([...world.machines, 'other'], contextOf(world.provider)));
    expect(listing.devices).toHaveLength(199);
    expect(listing.devices.filter(({ health }) => health.level === 'warning')).toHaveLength(1);
    expect(listing.unreadable).toMatchObject([{ machine: 'other', failure: { kind: 'Rejected' } }]);
    expect(world.sent).toHaveLength(1);
    const query = { type: 'gpu', model: MODEL, machine: world.machine } as const;
    expect(await world.settle(world.provider.inventory(query, contextOf(world.provider)))).toEqual({
      tag: 'free',
      count: 3,
    });
    expect(world.sent).toHaveLength(2);
    const none = await world.settle(
      world.provider.inventory({ ...query, type: 'cxlmemory' }, contextOf(world.provider)),
    );
    expect(none).toEqual({ tag: 'free', count: 0 });
  });

  test('tell health and hints, and no id of the node', async () => {
    const world = openCdim();
    const [gpu = ''] = world.gpus;
    world.sim.move(gpu, world.machine);
    world.sim.setHealth(gpu, '1');
    world.sim.setSerialNumber(gpu, '1650123456789');
    const { devices } = await world.settle(world.provider.list([world.machine], contextOf(world.provider)));
    expect(devices).toEqual([
      {
        machine: world.machine,
        type: 'gpu',
        model: MODEL,
        cdiDeviceId: gpu,
        health: { level: 'warning', message: `the target gpu '${gpu}' is showing a Warning status in CDIM` },
        hints: { model: MODEL, serialNumber: '1650123456789' },
      },
    ]);
  });

  test('are not blinded by a resource that cannot be read, and do not believe hostile texts', async () => {
    const world = openCdim();
    const cpu = { device: { deviceID: world.machine, type: 'CPU' } };
    const gpu = (deviceID: string, more: object) => ({
      device: { deviceID, type: 'GPU', model: 'M\u0000\u202e', ...more },
      nodeIDs: [world.machine],
    });
    const status = { state: 'Disabled\n\u202e', health: 'x'.repeat(5_000) };
    const odd = gpu('gpu-1', {
      status,
      serialNumber: 'a\u0007b',
      uuid: `GPU-${'0'.repeat(32)}`,
      attribute: { vendorID: '0x10de' },
    });
    const json = { resources: [cpu, odd, gpu('../../etc', {}), gpu('x'.repeat(999), {}), 'nonsense', null] };
    world.sim.faults.add({ kind: 'list', effect: { tag: 'answer', status: 200, body: { json } } });
    const { devices } = await world.settle(world.provider.list([world.machine], contextOf(world.provider)));
    expect(devices).toHaveLength(1);
    expect(devices[0]).toMatchObject({
      cdiDeviceId: 'gpu-1',
      deviceId: `GPU-${'0'.repeat(32)}`,
      health: { level: 'critical' },
    });
    expect(devices[0]?.hints).toEqual({ pcieVendorId: '0x10de', uuid: `GPU-${'0'.repeat(32)}` });
    const message = "the target gpu 'gpu-1' has state 'Disabled' in CDIM";
    expect(devices[0]?.health).toEqual({ level: 'critical', message });
    expect(world.host.logged).toMatchObject([{ level: 'warn', fields: { count: 4 } }]);
  });
});
