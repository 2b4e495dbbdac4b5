import assert from 'node:assert/strict';
import { attachOne, contextOf, detachRequest, resumeToEnd, startToEnd, ticketFor } from '../contract-steps.ts';
import type { ContractCase } from '../contract-world.ts';

/** Detaching. */
export const detachCases: readonly ContractCase[] = [
  {
    name: 'a detach takes the named device away, and no other',
    async run(world) {
      const provider = world.restart();
      const kept = await attachOne(world, provider);
      const device = await attachOne(world, provider);
      const ticket = await ticketFor(world, provider, detachRequest(world, device));
      const outcome = await startToEnd(world, provider, ticket);
      assert.deepEqual(outcome, { tag: 'done' });
      assert.deepEqual(world.attached(world.machine), [kept.cdiDeviceId]);
      assert.equal(world.changes(), 3);
    },
  },
  {
    name: 'detaching what is gone is a success and changes nothing',
    async run(world) {
      const provider = world.restart();
      const device = await attachOne(world, provider);
      await startToEnd(world, provider, await ticketFor(world, provider, detachRequest(world, device)));
      const changes = world.changes();
      const request = detachRequest(world, device);
      const again = await world.settle(provider.prepare(request, contextOf(provider, 'read')));
      assert.deepEqual(again, { tag: 'already' });
      assert.equal(world.changes(), changes);
    },
  },
  {
    name: 'a lost answer to a detach is in doubt, and another process finds the device gone',
    async run(world) {
      const provider = world.restart();
      const device = await attachOne(world, provider);
      const ticket = await ticketFor(world, provider, detachRequest(world, device));
      world.loseNextAnswer();
      const started = await startToEnd(world, provider, ticket);
      const outcome = started.tag === 'inDoubt' ? await resumeToEnd(world, world.restart(), ticket) : started;
      assert.deepEqual(outcome, { tag: 'done' });
      assert.equal(world.changes(), 2);
    },
  },
  {
    name: 'a detach that the fabric refuses leaves the device where it is',
    async run(world) {
      const provider = world.restart();
      const device = await attachOne(world, provider);
      const ticket = await ticketFor(world, provider, detachRequest(world, device));
      world.refuseNext();
      const outcome = await startToEnd(world, provider, ticket);
      assert.equal(outcome.tag, 'refused');
      assert.deepEqual(world.attached(world.machine), [device.cdiDeviceId]);
    },
  },
  {
    name: 'a device is not detached through a machine that it is not on',
    async run(world) {
      const provider = world.restart();
      const device = await attachOne(world, provider);
      const changes = world.changes();
      const request = detachRequest(world, device, world.otherMachine);
      const prepared = await world.settle(provider.prepare(request, contextOf(provider, 'read')));
      // A fabric that cannot say where the device is answers that it is gone from that machine, which is true.
      if (prepared.tag === 'failed') assert.equal(prepared.failure.kind, 'Conflict');
      else assert.equal(prepared.tag, 'already');
      assert.equal(world.changes(), changes);
      assert.deepEqual(world.attached(world.machine), [device.cdiDeviceId]);
    },
  },
];
