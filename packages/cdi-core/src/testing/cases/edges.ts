import assert from 'node:assert/strict';
import type { Ticket } from '../../contract/ticket.ts';
import { assertNoSecret, attachOne, attachRequest, contextOf, ticketFor } from '../contract-steps.ts';
import type { ContractCase } from '../contract-world.ts';

/** What a ticket may have suffered on its way through the API server and the years. */
const damages: Readonly<Record<string, (ticket: Ticket) => Ticket>> = {
  'of another provider': (ticket) => ({ ...ticket, provider: 'somebody-else' }),
  'of another version': (ticket) => ({ ...ticket, version: ticket.version + 1 }),
  'with an empty payload': (ticket) => ({ ...ticket, payload: {} }),
  'with nulls in its payload': (ticket) => ({
    ...ticket,
    payload: Object.fromEntries(Object.keys(ticket.payload).map((key) => [key, null])),
  }),
};

const damagedCases = Object.entries(damages).map(([what, damage]): ContractCase => ({
  name: `a ticket ${what} is in doubt, and nothing is asked of the fabric`,
  async run(world) {
    const provider = world.restart();
    const ticket = damage(await ticketFor(world, provider, attachRequest(world)));
    const started = await world.settle(provider.start(ticket, contextOf(provider, 'mutate')));
    const resumed = await world.settle(provider.resume(ticket, contextOf(provider, 'read'), []));
    for (const outcome of [started, resumed]) {
      assert(outcome.tag === 'inDoubt', `a damaged ticket was answered with ${outcome.tag}`);
      assert.equal(outcome.failure.kind, 'Protocol');
    }
    assert.equal(world.changes(), 0);
  },
}));

/** Signals, damaged tickets, secrets. */
export const edgeCases: readonly ContractCase[] = [
  ...damagedCases,
  {
    name: 'a call whose signal is aborted ends without a change, and is no throw',
    async run(world) {
      const provider = world.restart();
      const ticket = await ticketFor(world, provider, attachRequest(world));
      const context = { signal: AbortSignal.abort(), timeoutMs: provider.timeouts.mutate };
      const prepared = await world.settle(provider.prepare(attachRequest(world), context));
      const started = await world.settle(provider.start(ticket, context));
      const resumed = await world.settle(provider.resume(ticket, context, []));
      assert.equal(prepared.tag, 'failed');
      assert(started.tag === 'refused' || started.tag === 'inDoubt', `start answered ${started.tag}`);
      assert.equal(resumed.tag, 'inDoubt');
      assert.equal(world.changes(), 0);
    },
  },
  {
    name: 'failures are stable: the same failure is told in the same words',
    async run(world) {
      const provider = world.restart();
      world.breakReads(world.machine);
      const first = await world.settle(provider.prepare(attachRequest(world), contextOf(provider, 'read')));
      const second = await world.settle(provider.prepare(attachRequest(world), contextOf(provider, 'read')));
      assert.equal(first.tag, 'failed');
      assert.deepEqual(first, second);
    },
  },
  {
    name: 'no secret is logged',
    async run(world) {
      await attachOne(world, world.restart());
      assertNoSecret(world, world.logged());
    },
  },
];
