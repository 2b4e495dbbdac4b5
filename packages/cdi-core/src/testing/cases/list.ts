import assert from 'node:assert/strict';
import { attachOne, contextOf } from '../contract-steps.ts';
import type { ContractCase } from '../contract-world.ts';

/** Listing and counting. */
export const listCases: readonly ContractCase[] = [
  {
    name: 'list shows what is attached, with model, machine and health',
    async run(world) {
      const provider = world.restart();
      const device = await attachOne(world, provider);
      const machines = [world.machine, world.otherMachine];
      const { devices, unreadable } = await world.settle(provider.list(machines, contextOf(provider, 'read')));
      assert.deepEqual(unreadable, []);
      const mine = devices.filter(({ cdiDeviceId }) => cdiDeviceId === device.cdiDeviceId);
      const { machine, type, model, health } = mine[0] ?? assert.fail('the device is not listed');
      assert.deepEqual({ machine, type, model }, { machine: world.machine, ...world.wanted });
      assert.equal(health.level, 'ok');
      assert.equal(mine.length, 1);
    },
  },
  {
    name: 'a machine that cannot be read is named, and hides no other',
    async run(world) {
      const provider = world.restart();
      const device = await attachOne(world, provider);
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
    },
  },
  {
    name: 'inventory counts what is free, or says that it cannot',
    async run(world) {
      const provider = world.restart();
      const query = { ...world.wanted, machine: world.machine };
      const before = await world.settle(provider.inventory(query, contextOf(provider, 'read')));
      await attachOne(world, provider);
      const after = await world.settle(provider.inventory(query, contextOf(provider, 'read')));
      if (before.tag === 'unknown') assert.equal(after.tag, 'unknown');
      else assert.deepEqual(after, { tag: 'free', count: before.count - 1 });
    },
  },
];
