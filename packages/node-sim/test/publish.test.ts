import { describe, expect, it } from 'vitest';
import { at, makeWorld } from './world.ts';

describe('a device on a node', () => {
  it('shows in the slice of its node after the delay, and leaves it after the delay', async () => {
    const { clock, machines, devices, fabric, nodes, uuids, slice } = makeWorld({
      publishDelayMs: 3_000,
      withdrawDelayMs: 1_000,
    });
    await nodes.start();
    const device = at(devices, 0);
    fabric.move(device.resUuid, at(machines, 1).machUuid);
    await clock.advance(2_999);
    expect(uuids('worker-1')).toEqual([]);
    await clock.advance(1);
    expect(uuids('worker-1')).toEqual([device.serial]);
    expect(uuids('worker-0')).toEqual([]);
    fabric.move(device.resUuid, undefined);
    await clock.advance(999);
    expect(uuids('worker-1')).toEqual([device.serial]);
    await clock.advance(1);
    expect(uuids('worker-1')).toEqual([]);
    expect(slice('worker-1').spec.pool).toEqual({ name: 'worker-1', generation: 3, resourceSliceCount: 1 });
  });

  it('is written as the DRA driver writes it', async () => {
    const { machines, devices, fabric, nodes, slice, api } = makeWorld();
    fabric.move(at(devices, 2).resUuid, at(machines, 0).machUuid);
    await nodes.start();
    const { spec, metadata } = slice('worker-0');
    expect(spec).toMatchObject({ driver: 'gpu.nvidia.com', nodeName: 'worker-0' });
    expect(spec.devices).toHaveLength(1);
    expect(spec.devices[0]).toMatchObject({
      name: 'gpu-0',
      attributes: {
        uuid: { string: at(devices, 2).serial },
        productName: { string: at(devices, 2).model },
        type: { string: 'gpu' },
      },
    });
    const node = api.read<{ metadata: { uid: string } }>('/api/v1/nodes/worker-0');
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'Node', name: 'worker-0', uid: node.metadata.uid }]);
  });

  it('keeps its name while others come and go', async () => {
    const { machines, devices, fabric, nodes, slice } = makeWorld();
    await nodes.start();
    const machine = at(machines, 0).machUuid;
    const names = () =>
      slice('worker-0').spec.devices.map(({ name, attributes }) => [name, attributes['uuid']?.string]);
    for (const device of devices.slice(0, 3)) fabric.move(device.resUuid, machine);
    await nodes.settled();
    fabric.move(at(devices, 1).resUuid, undefined);
    await nodes.settled();
    expect(names()).toEqual([
      ['gpu-0', at(devices, 0).serial],
      ['gpu-2', at(devices, 2).serial],
    ]);
    fabric.move(at(devices, 3).resUuid, machine);
    await nodes.settled();
    expect(names()[1]).toEqual(['gpu-1', at(devices, 3).serial]);
  });

  it('has a delay of its own when told so, and never shows when that is Infinity', async () => {
    const { clock, machines, devices, fabric, nodes, uuids } = makeWorld({ publishDelayMs: 100 });
    await nodes.start();
    nodes.setDelays(at(devices, 0).resUuid, { publishMs: 5_000 });
    nodes.setDelays(at(devices, 1).resUuid, { publishMs: Infinity });
    for (const device of devices.slice(0, 3)) fabric.move(device.resUuid, at(machines, 0).machUuid);
    await clock.advance(4_999);
    expect(uuids('worker-0')).toEqual([at(devices, 2).serial]);
    await clock.advance(1_000_000);
    expect(uuids('worker-0')).toEqual([at(devices, 2).serial, at(devices, 0).serial]);
  });

  it("has its node's delay, which can be changed while the node runs", async () => {
    const { clock, machines, devices, fabric, nodes, uuids } = makeWorld({ publishDelayMs: 100 });
    await nodes.start();
    nodes.setNodeDelays('worker-0', { publishMs: 5_000, withdrawMs: 0 });
    fabric.move(at(devices, 0).resUuid, at(machines, 0).machUuid);
    fabric.move(at(devices, 1).resUuid, at(machines, 1).machUuid);
    await clock.advance(4_999);
    expect([uuids('worker-0'), uuids('worker-1')]).toEqual([[], [at(devices, 1).serial]]);
    await clock.advance(1);
    expect(uuids('worker-0')).toEqual([at(devices, 0).serial]);
    nodes.setNodeDelays('worker-0', { publishMs: 1_000 });
    fabric.move(at(devices, 2).resUuid, at(machines, 0).machUuid);
    await clock.advance(1_000);
    expect(uuids('worker-0')).toHaveLength(2);
  });

  it('that leaves before its delay is over never shows', async () => {
    const { clock, machines, devices, fabric, nodes, slice } = makeWorld({ publishDelayMs: 1_000 });
    await nodes.start();
    fabric.move(at(devices, 0).resUuid, at(machines, 0).machUuid);
    await clock.advance(500);
    fabric.move(at(devices, 0).resUuid, at(machines, 1).machUuid);
    await clock.advance(600);
    expect(slice('worker-0').spec.devices).toEqual([]);
    await clock.advance(600);
    expect(slice('worker-1').spec.devices).toHaveLength(1);
  });
});

describe('many devices', () => {
  it('that come at once go into one write', async () => {
    const { machines, devices, fabric, nodes, api, uuids } = makeWorld({}, { devices: 64, machines: 1 });
    await nodes.start();
    const before = api.requests.length;
    for (const device of devices) fabric.move(device.resUuid, at(machines, 0).machUuid);
    await nodes.settled();
    expect(uuids('worker-0')).toHaveLength(64);
    expect(api.requests.length - before).toBeLessThanOrEqual(2);
  });

  it('on 500 machines are published with one write a machine or two', async () => {
    const { machines, devices, fabric, nodes, api, uuids, problems } = makeWorld({}, { devices: 4_000, machines: 500 });
    await nodes.start();
    const before = api.requests.length;
    for (const [index, device] of devices.entries()) fabric.move(device.resUuid, at(machines, index % 500).machUuid);
    await nodes.settled();
    expect(machines.flatMap((_, index) => uuids(`worker-${index}`))).toHaveLength(4_000);
    expect(api.requests.length - before).toBeLessThanOrEqual(1_000);
    expect(problems).toEqual([]);
  });

  it('beyond what one slice holds are reported, not cut off', async () => {
    const { machines, devices, fabric, nodes, problems } = makeWorld({}, { devices: 129, machines: 1 });
    await nodes.start();
    for (const device of devices) fabric.move(device.resUuid, at(machines, 0).machUuid);
    await nodes.settled();
    expect(problems.at(-1)).toMatchObject({
      final: true,
      message: '129 devices on one node: a slice holds at most 128',
    });
  });
});

describe('a GPU that is cut up', () => {
  async function cutUp(options: Parameters<typeof makeWorld>[0] = {}) {
    const world = makeWorld(options);
    await world.nodes.start();
    const device = at(world.devices, 0);
    world.fabric.move(device.resUuid, at(world.machines, 0).machUuid);
    const host = world.nodes.host('worker-0');
    host.look();
    host.setMig(device.serial, ['MIG-0', 'MIG-1']);
    await world.nodes.settled();
    return { ...world, device, host };
  }

  it('is published by its MIG devices alone, and whole again when it is whole', async () => {
    const { slice, device, host, nodes } = await cutUp();
    const part = (place: number) => ({
      name: `gpu-0-mig-1g5gb-19-${place}`,
      attributes: {
        type: { string: 'mig' },
        uuid: { string: `MIG-${place}` },
        parentUUID: { string: device.serial },
        productName: { string: device.model },
      },
    });
    expect(slice('worker-0').spec.devices).toMatchObject([part(0), part(1)]);
    host.setMig(device.serial, []);
    await nodes.settled();
    expect(slice('worker-0').spec.devices).toMatchObject([{ name: 'gpu-0', attributes: { type: { string: 'gpu' } } }]);
  });

  const rule = (device: string, effect = 'NoSchedule') => ({
    spec: { deviceSelector: { driver: 'gpu.nvidia.com', pool: 'worker-0', device }, taint: { key: 'k', effect } },
  });
  const ofAll = (selector: object) => ({
    spec: { deviceSelector: selector, taint: { key: 'k', effect: 'NoExecute' } },
  });
  const [first, second] = ['gpu-0-mig-1g5gb-19-0', 'gpu-0-mig-1g5gb-19-1'] as const;

  it.each([
    ['no rule', [], [first, second]],
    ['a rule for one part', [rule(second)], [first]],
    ['a rule without effect', [rule(first, 'None'), rule(second)], [first]],
    ['a rule that selects nothing', [{ spec: { taint: { key: 'k', effect: 'NoSchedule' } } }], [first, second]],
    [
      'rules of another pool and driver',
      [ofAll({ pool: 'worker-1' }), ofAll({ driver: 'x.example.com' })],
      [first, second],
    ],
    ['a rule for each', [rule(first), rule(second)], []],
    ['a rule for the pool', [ofAll({ pool: 'worker-0' })], []],
  ])('may not be taken while a part of it could be given to a pod: %s', async (_what, rules, free) => {
    const { fabric, device, nodes } = await cutUp({ rules: () => rules });
    fabric.move(device.resUuid, undefined);
    const faults = nodes.faults().filter(({ what }) => what === 'leftUnfenced');
    expect(faults.flatMap(({ heldBy }) => heldBy)).toEqual(free);
  });
});
