import assert from 'node:assert/strict';
import { attachOne, contextOf } from '../suite/steps.ts';
import { onOneFabric, type ContractCase } from '../suite/contract-case.ts';

/** Listing and counting. */
export const listCases: readonly ContractCase[] = [
  onOneFabric('list shows what is attached, with model, machine and health', async (stage) => {
    const { world } = stage;
    const provider = stage.restart();
    const device = await attachOne(stage, provider);
    const machines = [world.machine, world.otherMachine];
    const { devices, unreadable } = await world.settle(provider.list(machines, contextOf(provider, 'read')));
    assert.deepEqual(unreadable, []);
    const mine = devices.filter(({ cdiDeviceId }) => cdiDeviceId === device.cdiDeviceId);
    const { machine, type, model, health } = mine[0] ?? assert.fail('the device is not listed');
    assert.deepEqual({ machine, type, model }, { machine: world.machine, ...world.wanted });
    assert.equal(health.level, 'ok');
    assert.equal(mine.length, 1);
  }),
  onOneFabric('a machine that cannot be read is named, and hides no other', async (stage) => {
    const { world } = stage;
    const provider = stage.restart();
    const device = await attachOne(stage, provider);
    world.breakReads(world.otherMachine);
    const machines = [world.otherMachine, world.machine];
    const { devices, unreadable } = await world.settle(provider.list(machines, contextOf(provider, 'read')));
    const broken = world.listsAtOnce === true ? machines : [world.otherMachine];
    assert.deepEqual(
      unreadable.map(({ machine }) => machine),
      broken,
    );
    if (world.listsAtOnce === true) return;
    assert(devices.some(({ cdiDeviceId }) => cdiDeviceId === device.cdiDeviceId));
  }),
  onOneFabric('inventory counts what is free, or says that it cannot', async (stage) => {
    const { world } = stage;
    const provider = stage.restart();
    const query = { ...world.wanted, machine: world.machine };
    const before = await world.settle(provider.inventory(query, contextOf(provider, 'read')));
    await attachOne(stage, provider);
    const after = await world.settle(provider.inventory(query, contextOf(provider, 'read')));
    if (before.tag === 'unknown') assert.equal(after.tag, 'unknown');
    else assert.deepEqual(after, { tag: 'free', count: before.count - 1 });
  }),
];
