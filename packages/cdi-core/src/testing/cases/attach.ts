import assert from 'node:assert/strict';
import { attachOne, attachRequest, contextOf, resumeToEnd, startToEnd, ticketFor } from '../suite/steps.ts';
import { onOneFabric, type ContractCase } from '../suite/contract-case.ts';

/** Attaching. */
export const attachCases: readonly ContractCase[] = [
  onOneFabric('an attach brings one device with one change, and names it', async (stage) => {
    const { world } = stage;
    const device = await attachOne(stage, stage.restart());
    assert.deepEqual(world.attached(world.machine), [device.cdiDeviceId]);
    assert.equal(world.changes(), 1);
  }),
  onOneFabric('prepare changes nothing on the fabric', async (stage) => {
    const { world } = stage;
    await ticketFor(stage, stage.restart(), attachRequest(stage));
    assert.equal(world.changes(), 0);
    assert.deepEqual(world.attached(world.machine), []);
  }),
  onOneFabric('tickets have ids of their own and carry their holder and machine', async (stage) => {
    const { world } = stage;
    const provider = stage.restart();
    const first = await ticketFor(stage, provider, attachRequest(stage));
    const second = await ticketFor(stage, provider, attachRequest(stage));
    assert.notEqual(first.id, second.id);
    const { op, holder, machine, phase } = first;
    assert.deepEqual(
      { op, holder, machine, phase, provider: first.provider },
      { op: 'attach', holder: 'holder-1', machine: world.machine, phase: 'open', provider: provider.name },
    );
  }),
  onOneFabric('a ticket that was never started is resumed without a change', async (stage) => {
    const { world } = stage;
    const ticket = await ticketFor(stage, stage.restart(), attachRequest(stage));
    const outcome = await resumeToEnd(world, stage.restart(), ticket);
    assert(outcome.tag === 'unchanged' || outcome.tag === 'notDone', `resume answered ${outcome.tag}`);
    assert.equal(world.changes(), 0);
  }),
  onOneFabric('a lost answer to an attach is in doubt, and another process finds the device', async (stage) => {
    const { world } = stage;
    const first = stage.restart();
    const ticket = await ticketFor(stage, first, attachRequest(stage));
    world.loseNextAnswer();
    const started = await startToEnd(stage, first, ticket);
    const outcome = started.tag === 'inDoubt' ? await resumeToEnd(world, stage.restart(), ticket) : started;
    assert(outcome.tag === 'done' && outcome.device !== undefined, `resume answered ${JSON.stringify(outcome)}`);
    assert.deepEqual(world.attached(world.machine), [outcome.device.cdiDeviceId]);
    assert.equal(world.changes(), 1);
  }),
  onOneFabric('a device that was there before is not taken for the new one', async (stage) => {
    const { world } = stage;
    const before = await attachOne(stage, stage.restart());
    const ticket = await ticketFor(stage, stage.restart(), attachRequest(stage, [before.cdiDeviceId]));
    const untouched = await resumeToEnd(world, stage.restart(), ticket);
    assert.notEqual(untouched.tag, 'done');
    const outcome = await startToEnd(stage, stage.restart(), ticket);
    assert(outcome.tag === 'done' && outcome.device !== undefined);
    assert.notEqual(outcome.device.cdiDeviceId, before.cdiDeviceId);
  }),
  onOneFabric('an attach that the fabric refuses is refused, and says why', async (stage) => {
    const { world } = stage;
    const provider = stage.restart();
    const ticket = await ticketFor(stage, provider, attachRequest(stage));
    world.refuseNext();
    const outcome = await provider.start(ticket, contextOf(provider, 'mutate'));
    assert(outcome.tag === 'refused', `start answered ${JSON.stringify(outcome)}`);
    assert.notEqual(outcome.failure.message, '');
    assert.deepEqual(world.attached(world.machine), []);
  }),
  onOneFabric('an empty pool is told as exhausted, by prepare or by start', async (stage) => {
    const { world } = stage;
    world.exhaust();
    const provider = stage.restart();
    const prepared = await world.settle(provider.prepare(attachRequest(stage), contextOf(provider, 'read')));
    const last = prepared.tag === 'ticket' ? await startToEnd(stage, provider, prepared.ticket) : prepared;
    assert(last.tag === 'failed' || last.tag === 'refused', `the attach ended as ${last.tag}`);
    assert.equal(last.failure.kind, 'Exhausted');
  }),
];
