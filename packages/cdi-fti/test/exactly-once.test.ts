import type { AttachRequest, DetachRequest, Done, Ticket } from '@cro/cdi-core';
import type { Effect, Fault } from '@cro/fabric-sim';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contextOf, openFabric, type Fabric } from './support/fabric.ts';
import { answer, attachRequest, detachRequest, framed, html, prepared, resumed } from './support/steps.ts';

/** Where the process dies, and is started again: never, before it starts the ticket, or while the fabric works on it. */
type Crash = 'never' | 'before' | 'during';

const lost = (when: 'beforeChange' | 'afterChange'): Effect => ({ tag: 'loseReply', when });
const late = (ms: number): Effect => ({ tag: 'delay', ms, when: 'beforeChange' });
const broken: Effect = { tag: 'answer', status: 500, body: { html: '<html>' }, when: 'afterChange' };

const change = fc.constantFrom<Effect[]>(
  [],
  [lost('beforeChange')],
  [lost('afterChange')],
  [broken],
  [html(502)],
  [framed(500, 'oops')],
  [framed(409, 'busy')],
  [late(60_000)],
  [late(60_000), lost('afterChange')],
  [{ tag: 'hang', when: 'afterChange' }],
  [{ tag: 'hang', when: 'beforeChange' }],
  [{ tag: 'omitFields', fields: ['res_uuid'] }],
  [{ tag: 'emptyLists', fields: ['resources'] }],
);
const look = fc.constantFrom<Effect[]>(
  [],
  [html(500)],
  [lost('afterChange')],
  [answer(200, { data: { machines: [] } })],
);
const crash = fc.constantFrom<Crash>('never', 'before', 'during');
const slow = fc.constantFrom(0, 2_000, 170_000);

/** Does what the operator does with a ticket, until the operation is over. */
async function carryOut(fabric: Fabric, request: AttachRequest | DetachRequest, firstCrash: Crash): Promise<Done> {
  let dies = firstCrash;
  for (let tries = 0; tries < 20; tries += 1) {
    const ready = await prepared(fabric, request);
    if (ready.tag === 'already') return { tag: 'done' };
    if (ready.tag === 'ticket') {
      const done = await startAndSettle(fabric, ready.ticket, dies);
      dies = 'never';
      if (done !== undefined) return done;
    } else await fabric.clock.advance(5_000);
  }
  throw new Error('the operation never comes to an end');
}

/** `undefined`: it certainly did not happen, so a new ticket may be made. */
async function startAndSettle(fabric: Fabric, ticket: Ticket, dies: Crash): Promise<Done | undefined> {
  if (dies === 'during') await dieDuring(fabric, ticket);
  if (dies === 'never') {
    const outcome = await fabric.settle(fabric.provider.start(ticket, contextOf(fabric.provider, 'mutate')));
    if (outcome.tag === 'done') return outcome;
    if (outcome.tag === 'refused') return undefined;
  }
  const ends = fabric.clock.monotonic() + fabric.provider.settleSeconds * 1_000;
  for (;;) {
    const outcome = await resumed(fabric, ticket);
    if (outcome.tag === 'done') return outcome;
    if (outcome.tag === 'notDone') return undefined;
    if (outcome.tag === 'unchanged' && fabric.clock.monotonic() > ends) return undefined;
    await fabric.clock.advance(outcome.tag === 'inDoubt' ? 5_000 : outcome.retryAfterMs);
  }
}

/** The client hangs up a second after it asked; the fabric goes on working. */
async function dieDuring(fabric: Fabric, ticket: Ticket): Promise<void> {
  const dying = new AbortController();
  fabric.clock.after(1_000, () => {
    dying.abort();
  });
  const context = { ...contextOf(fabric.provider, 'mutate'), signal: dying.signal };
  await fabric.settle(fabric.provider.start(ticket, context));
}

function arm(fabric: Fabric, kind: NonNullable<Fault['kind']>, effects: readonly Effect[]): void {
  for (const effect of effects) fabric.sim.faults.add({ kind, effect });
}

test('whatever goes wrong, a device comes once and leaves once', async () => {
  await fc.assert(
    fc.asyncProperty(change, change, look, look, crash, crash, slow, async (up, down, look1, look2, die1, die2, ms) => {
      const fabric = openFabric({ attachMs: ms, detachMs: ms });
      const moves: string[] = [];
      fabric.sim.subscribe(({ tag }) => void moves.push(tag));
      arm(fabric, 'attach', up);
      arm(fabric, 'get', look1);
      const { device } = await carryOut(fabric, attachRequest(fabric), die1);
      expect(fabric.sim.attachedTo(fabric.machine).map(({ resUuid }) => resUuid)).toEqual([device?.cdiDeviceId]);
      arm(fabric, 'detach', down);
      arm(fabric, 'get', look2);
      await carryOut(fabric, detachRequest(fabric, device ?? {}), die2);
      fabric.sim.assertPoolWhole();
      expect(moves).toEqual(['attached', 'detached']);
    }),
    { numRuns: 60 },
  );
});
