import assert from 'node:assert/strict';
import { attachOne, attachRequest, contextOf, resumeToEnd, startToEnd, ticketFor } from '../contract-steps.ts';
import type { ContractCase } from '../contract-world.ts';

/** Attaching. */
export const attachCases: readonly ContractCase[] = [
  {
    name: 'an attach brings one device with one change, and names it',
    async run(world) {
      const device = await attachOne(world, world.restart());
      assert.deepEqual(world.attached(world.machine), [device.cdiDeviceId]);
      assert.equal(world.changes(), 1);
    },
  },
  {
    name: 'prepare changes nothing on the fabric',
    async run(world) {
      await ticketFor(world, world.restart(), attachRequest(world));
      assert.equal(world.changes(), 0);
      assert.deepEqual(world.attached(world.machine), []);
    },
  },
  {
    name: 'tickets have ids of their own and carry their holder and machine',
    async run(world) {
      const provider = world.restart();
      const first = await ticketFor(world, provider, attachRequest(world));
      const second = await ticketFor(world, provider, attachRequest(world));
      assert.notEqual(first.id, second.id);
      const { op, holder, machine, phase } = first;
      assert.deepEqual(
        { op, holder, machine, phase, provider: first.provider },
        { op: 'attach', holder: 'holder-1', machine: world.machine, phase: 'open', provider: provider.name },
      );
    },
  },
  {
    name: 'a ticket that was never started is resumed without a change',
    async run(world) {
      const ticket = await ticketFor(world, world.restart(), attachRequest(world));
      const outcome = await resumeToEnd(world, world.restart(), ticket);
      assert(outcome.tag === 'unchanged' || outcome.tag === 'notDone', `resume answered ${outcome.tag}`);
      assert.equal(world.changes(), 0);
    },
  },
  {
    name: 'a lost answer to an attach is in doubt, and another process finds the device',
    async run(world) {
      const first = world.restart();
      const ticket = await ticketFor(world, first, attachRequest(world));
      world.loseNextAnswer();
      const started = await startToEnd(world, first, ticket);
      const outcome = started.tag === 'inDoubt' ? await resumeToEnd(world, world.restart(), ticket) : started;
      assert(outcome.tag === 'done' && outcome.device !== undefined, `resume answered ${JSON.stringify(outcome)}`);
      assert.deepEqual(world.attached(world.machine), [outcome.device.cdiDeviceId]);
      assert.equal(world.changes(), 1);
    },
  },
  {
    name: 'a device that was there before is not taken for the new one',
    async run(world) {
      const before = await attachOne(world, world.restart());
      const ticket = await ticketFor(world, world.restart(), attachRequest(world, [before.cdiDeviceId]));
      const untouched = await resumeToEnd(world, world.restart(), ticket);
      assert.notEqual(untouched.tag, 'done');
      const outcome = await startToEnd(world, world.restart(), ticket);
      assert(outcome.tag === 'done' && outcome.device !== undefined);
      assert.notEqual(outcome.device.cdiDeviceId, before.cdiDeviceId);
    },
  },
  {
    name: 'an attach that the fabric refuses is refused, and says why',
    async run(world) {
      const provider = world.restart();
      const ticket = await ticketFor(world, provider, attachRequest(world));
      world.refuseNext();
      const outcome = await provider.start(ticket, contextOf(provider, 'mutate'));
      assert(outcome.tag === 'refused', `start answered ${JSON.stringify(outcome)}`);
      assert.notEqual(outcome.failure.message, '');
      assert.deepEqual(world.attached(world.machine), []);
    },
  },
  {
    name: 'an empty pool is told as exhausted, by prepare or by start',
    async run(world) {
      world.exhaust();
      const provider = world.restart();
      const prepared = await world.settle(provider.prepare(attachRequest(world), contextOf(provider, 'read')));
      const last = prepared.tag === 'ticket' ? await startToEnd(world, provider, prepared.ticket) : prepared;
      assert(last.tag === 'failed' || last.tag === 'refused', `the attach ended as ${last.tag}`);
      assert.equal(last.failure.kind, 'Exhausted');
    },
  },
];
