import assert from 'node:assert/strict';
import { ModelOperator } from '../operator/model-operator.ts';
import { onOneFabric, type ContractCase } from '../suite/contract-case.ts';
import type { ContractWorld } from '../suite/contract-world.ts';
import type { Stage } from '../suite/stage.ts';
import { attachOne, attachRequest, contextOf, detachRequest, startToEnd, ticketFor } from '../suite/steps.ts';

/** Looks at a lost attach before its device must have arrived, five seconds apart. */
const MOST_WAITS = 120;

/** Starts an attach whose answer is lost, and waits until its device is there. */
async function lostAttach(stage: Stage) {
  const { world } = stage;
  const provider = stage.restart();
  const ticket = await ticketFor(stage, provider, attachRequest(stage));
  world.loseNextAnswer();
  await world.settle(provider.start(ticket, contextOf(provider, 'mutate')));
  for (let waits = 0; waits < MOST_WAITS; waits += 1) {
    const [id] = world.attached(world.machine);
    if (id !== undefined) return { ticket, id };
    await world.wait(5_000);
  }
  return assert.fail('the device of an attach whose answer was lost never arrives');
}

function move(world: ContractWorld, id: string, machine: string | undefined): void {
  (world.move ?? assert.fail('a case that moves devices needs it'))(id, machine);
}

/** Somebody else moves devices between two calls. */
export const elsewhereCases: readonly ContractCase[] = [
  onOneFabric(
    'a device that was moved to another machine before its ticket is resumed is not taken for the ticket',
    async (stage) => {
      const { world } = stage;
      const { ticket, id } = await lostAttach(stage);
      move(world, id, world.otherMachine);
      const provider = stage.restart();
      const outcome = await world.settle(provider.resume(ticket, contextOf(provider, 'read'), []));
      assert.notEqual(outcome.tag, 'done');
      assert.deepEqual(world.attached(world.otherMachine), [id]);
    },
    ['move'],
  ),
  onOneFabric(
    'a device that somebody else takes between ticket and start is not taken away from them',
    async (stage) => {
      const { world } = stage;
      const provider = stage.restart();
      const ticket = await ticketFor(stage, provider, attachRequest(stage));
      const chosen = ticket.payload['cdiDeviceId'];
      // A fabric that is asked for any device of a model has chosen none.
      if (typeof chosen !== 'string') return;
      move(world, chosen, world.otherMachine);
      const outcome = await startToEnd(stage, provider, ticket);
      assert(outcome.tag !== 'done', 'the attach is done with a device that is on another machine');
      assert.deepEqual(world.attached(world.otherMachine), [chosen]);
    },
    ['move'],
  ),
  onOneFabric(
    'a device that was moved to another machine between ticket and start of its detach stays there',
    async (stage) => {
      const { world } = stage;
      const provider = stage.restart();
      const device = await attachOne(stage, provider);
      const ticket = await ticketFor(stage, provider, detachRequest(stage, device));
      move(world, device.cdiDeviceId, world.otherMachine);
      await startToEnd(stage, provider, ticket);
      assert.deepEqual(world.attached(world.otherMachine), [device.cdiDeviceId]);
    },
    ['move'],
  ),
  onOneFabric(
    'a device that vanishes between ticket and start of its detach is gone, which is a success',
    async (stage) => {
      const { world } = stage;
      const provider = stage.restart();
      const device = await attachOne(stage, provider);
      const ticket = await ticketFor(stage, provider, detachRequest(stage, device));
      move(world, device.cdiDeviceId, undefined);
      const outcome = await startToEnd(stage, provider, ticket);
      if (outcome.tag === 'done') return;
      const { device: left } = await world.settle(
        new ModelOperator(stage, () => [], provider).carryOut(detachRequest(stage, device)),
      );
      assert.equal(left, undefined);
    },
    ['move'],
  ),
];
