import assert from 'node:assert/strict';
import type { Ticket } from '../../contract/ticket.ts';
import { attachRequest, contextOf, ticketFor } from '../suite/steps.ts';
import { onOneFabric, type ContractCase } from '../suite/contract-case.ts';

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

const damagedCases = Object.entries(damages).map(([what, damage]) =>
  onOneFabric(`a ticket ${what} is in doubt, and nothing is asked of the fabric`, async (stage) => {
    const { world } = stage;
    const provider = stage.restart();
    const ticket = damage(await ticketFor(stage, provider, attachRequest(stage)));
    const started = await world.settle(provider.start(ticket, contextOf(provider, 'mutate')));
    const resumed = await world.settle(provider.resume(ticket, contextOf(provider, 'read'), []));
    for (const outcome of [started, resumed]) {
      assert(outcome.tag === 'inDoubt', `a damaged ticket was answered with ${outcome.tag}`);
      assert.equal(outcome.failure.kind, 'Protocol');
    }
    assert.equal(world.changes(), 0);
  }),
);

/** Aborted signals, damaged tickets, stable words. */
export const edgeCases: readonly ContractCase[] = [
  ...damagedCases,
  onOneFabric('a call whose signal is aborted ends without a change, and is no throw', async (stage) => {
    const { world } = stage;
    const provider = stage.restart();
    const ticket = await ticketFor(stage, provider, attachRequest(stage));
    const context = { signal: AbortSignal.abort(), timeoutMs: provider.timeouts.mutate };
    const prepared = await world.settle(provider.prepare(attachRequest(stage), context));
    const started = await world.settle(provider.start(ticket, context));
    const resumed = await world.settle(provider.resume(ticket, context, []));
    assert.equal(prepared.tag, 'failed');
    assert(started.tag === 'refused' || started.tag === 'inDoubt', `start answered ${started.tag}`);
    assert.equal(resumed.tag, 'inDoubt');
    assert.equal(world.changes(), 0);
  }),
  onOneFabric('failures are stable: the same failure is told in the same words', async (stage) => {
    const { world } = stage;
    const provider = stage.restart();
    world.breakReads(world.machine);
    const first = await world.settle(provider.prepare(attachRequest(stage), contextOf(provider, 'read')));
    const second = await world.settle(provider.prepare(attachRequest(stage), contextOf(provider, 'read')));
    assert.equal(first.tag, 'failed');
    assert.deepEqual(first, second);
  }),
];
