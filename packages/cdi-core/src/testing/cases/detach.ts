import assert from 'node:assert/strict';
import { attachOne, contextOf, detachRequest, resumeToEnd, startToEnd, ticketFor } from '../suite/steps.ts';
import { onOneFabric, type ContractCase } from '../suite/contract-case.ts';

/** Detaching. */
export const detachCases: readonly ContractCase[] = [
  onOneFabric('a detach takes the named device away, and no other', async (stage) => {
    const { world } = stage;
    const provider = stage.restart();
    const kept = await attachOne(stage, provider);
    const device = await attachOne(stage, provider);
    const ticket = await ticketFor(stage, provider, detachRequest(stage, device));
    const outcome = await startToEnd(stage, provider, ticket);
    assert.deepEqual(outcome, { tag: 'done' });
    assert.deepEqual(world.attached(world.machine), [kept.cdiDeviceId]);
    assert.equal(world.changes(), 3);
  }),
  onOneFabric('detaching what is gone is a success and changes nothing', async (stage) => {
    const { world } = stage;
    const provider = stage.restart();
    const device = await attachOne(stage, provider);
    await startToEnd(stage, provider, await ticketFor(stage, provider, detachRequest(stage, device)));
    const changes = world.changes();
    const request = detachRequest(stage, device);
    const again = await world.settle(provider.prepare(request, contextOf(provider, 'read')));
    assert.deepEqual(again, { tag: 'already' });
    assert.equal(world.changes(), changes);
  }),
  onOneFabric('a lost answer to a detach is in doubt, and another process finds the device gone', async (stage) => {
    const { world } = stage;
    const provider = stage.restart();
    const device = await attachOne(stage, provider);
    const ticket = await ticketFor(stage, provider, detachRequest(stage, device));
    world.loseNextAnswer();
    const started = await startToEnd(stage, provider, ticket);
    const outcome = started.tag === 'inDoubt' ? await resumeToEnd(world, stage.restart(), ticket) : started;
    assert.deepEqual(outcome, { tag: 'done' });
    assert.equal(world.changes(), 2);
  }),
  onOneFabric('a detach that the fabric refuses leaves the device where it is', async (stage) => {
    const { world } = stage;
    const provider = stage.restart();
    const device = await attachOne(stage, provider);
    const ticket = await ticketFor(stage, provider, detachRequest(stage, device));
    world.refuseNext();
    const outcome = await startToEnd(stage, provider, ticket);
    assert.equal(outcome.tag, 'refused');
    assert.deepEqual(world.attached(world.machine), [device.cdiDeviceId]);
  }),
  onOneFabric('a device is not detached through a machine that it is not on', async (stage) => {
    const { world } = stage;
    const provider = stage.restart();
    const device = await attachOne(stage, provider);
    const changes = world.changes();
    const request = detachRequest(stage, device, world.otherMachine);
    const prepared = await world.settle(provider.prepare(request, contextOf(provider, 'read')));
    // A fabric that cannot say where the device is answers that it is gone from that machine, which is true.
    if (prepared.tag === 'failed') assert.equal(prepared.failure.kind, 'Conflict');
    else assert.equal(prepared.tag, 'already');
    assert.equal(world.changes(), changes);
    assert.deepEqual(world.attached(world.machine), [device.cdiDeviceId]);
  }),
];
