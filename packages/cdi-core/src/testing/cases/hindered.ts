import assert from 'node:assert/strict';
import type { Failure } from '@cro/crd-types';
import type { Provider } from '../../contract/provider.ts';
import { ModelOperator } from '../operator/model-operator.ts';
import { onOneFabric, type ContractCase } from '../suite/contract-case.ts';
import type { Stage } from '../suite/stage.ts';
import { attachRequest, contextOf, startToEnd, ticketFor } from '../suite/steps.ts';

/** Tries to attach, and answers what came of it. */
async function hindered(stage: Stage, provider: Provider): Promise<Failure> {
  const prepared = await stage.world.settle(provider.prepare(attachRequest(stage), contextOf(provider, 'read')));
  const last = prepared.tag === 'ticket' ? await startToEnd(stage, provider, prepared.ticket) : prepared;
  assert(last.tag === 'failed' || last.tag === 'refused', `the attach ended as ${last.tag}`);
  return last.failure;
}

async function attachesAfterwards(stage: Stage): Promise<void> {
  const { world } = stage;
  assert.deepEqual(world.attached(world.machine), []);
  const { device } = await world.settle(new ModelOperator(stage).carryOut(attachRequest(stage)));
  assert.deepEqual(world.attached(world.machine), [device?.cdiDeviceId]);
}

const denied = { status: 401, headers: { 'content-type': 'application/json' }, body: '{}' };
/** Most requests of one call whose credentials are refused: a server that counts failures locks the account. */
const MOST_DENIED = 6;

/** Busy, blocked, and not let in. */
export const hinderedCases: readonly ContractCase[] = [
  onOneFabric(
    'a fabric that is busy is told as busy, and nothing was changed',
    async (stage) => {
      stage.world.busyNext?.();
      const { kind } = await hindered(stage, stage.restart());
      assert.equal(kind, 'Busy');
      await attachesAfterwards(stage);
    },
    ['busyNext'],
  ),
  onOneFabric(
    'a fabric that waits for a person is told as blocked, and goes on when the person has acted',
    async (stage) => {
      const release = stage.world.block?.() ?? assert.fail('a case that blocks the fabric needs it');
      const { kind } = await hindered(stage, stage.restart());
      assert.equal(kind, 'Blocked');
      release();
      await attachesAfterwards(stage);
    },
    ['block'],
  ),
  onOneFabric(
    'a token that expires between ticket and start costs a new one, and no device',
    async (stage) => {
      const { world } = stage;
      const provider = stage.restart();
      const ticket = await ticketFor(stage, provider, attachRequest(stage));
      world.expireTokens?.();
      const outcome = await startToEnd(stage, provider, ticket);
      assert(outcome.tag === 'done', `the attach ended as ${JSON.stringify(outcome)}`);
      assert.deepEqual(world.attached(world.machine), [outcome.device?.cdiDeviceId]);
    },
    ['expireTokens'],
  ),
  onOneFabric(
    'a fabric that lets nobody in is told as unauthenticated, and is not stormed',
    async (stage) => {
      const { wire, world } = stage;
      const provider = stage.restart();
      const ticket = await ticketFor(stage, provider, attachRequest(stage));
      wire.strike(() => ({ tag: 'answer', moment: 'before', make: () => denied }));
      const before = wire.sent.length;
      const started = await world.settle(provider.start(ticket, contextOf(provider, 'mutate')));
      assert(started.tag === 'refused' || started.tag === 'inDoubt', `start answered ${started.tag}`);
      assert(wire.sent.length - before <= MOST_DENIED, `${wire.sent.length - before} requests for one start`);
      const prepared = await world.settle(provider.prepare(attachRequest(stage), contextOf(provider, 'read')));
      assert(prepared.tag === 'failed', `prepare answered ${prepared.tag}`);
      assert.equal(prepared.failure.kind, 'Unauthenticated');
      assert.deepEqual(world.attached(world.machine), []);
    },
    ['http'],
  ),
];
