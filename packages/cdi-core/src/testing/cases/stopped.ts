import assert from 'node:assert/strict';
import { delay } from '@cro/clock';
import type { CallContext, Provider } from '../../contract/provider.ts';
import type { ContractCase } from '../suite/contract-case.ts';
import { explained } from '../suite/explained.ts';
import type { Stage } from '../suite/stage.ts';
import { attachOne, attachRequest, contextOf, detachRequest, ticketFor } from '../suite/steps.ts';

type Call = (provider: Provider, context: CallContext) => Promise<unknown>;

/** A call of a provider, made ready on a fabric. */
interface ReadyCall {
  readonly kind: 'read' | 'mutate';
  readonly ready: (stage: Stage) => Promise<Call>;
}

async function lostTicket(stage: Stage, op: 'attach' | 'detach') {
  const provider = stage.restart();
  const request = op === 'attach' ? attachRequest(stage) : detachRequest(stage, await attachOne(stage, provider));
  const ticket = await ticketFor(stage, provider, request);
  stage.world.loseNextAnswer();
  await stage.world.settle(provider.start(ticket, contextOf(provider, 'mutate')));
  return ticket;
}

const calls: Readonly<Record<string, ReadyCall>> = {
  'prepare of an attach': {
    kind: 'read',
    ready: (stage) => Promise.resolve((provider, context) => provider.prepare(attachRequest(stage), context)),
  },
  'start of an attach': {
    kind: 'mutate',
    async ready(stage) {
      const ticket = await ticketFor(stage, stage.restart(), attachRequest(stage));
      return (provider, context) => provider.start(ticket, context);
    },
  },
  'resume of an attach': {
    kind: 'read',
    async ready(stage) {
      const ticket = await lostTicket(stage, 'attach');
      return (provider, context) => provider.resume(ticket, context, []);
    },
  },
  'prepare of a detach': {
    kind: 'read',
    async ready(stage) {
      const request = detachRequest(stage, await attachOne(stage, stage.restart()));
      return (provider, context) => provider.prepare(request, context);
    },
  },
  'start of a detach': {
    kind: 'mutate',
    async ready(stage) {
      const provider = stage.restart();
      const ticket = await ticketFor(stage, provider, detachRequest(stage, await attachOne(stage, provider)));
      return (again, context) => again.start(ticket, context);
    },
  },
  'resume of a detach': {
    kind: 'read',
    async ready(stage) {
      const ticket = await lostTicket(stage, 'detach');
      return (provider, context) => provider.resume(ticket, context, []);
    },
  },
  list: {
    kind: 'read',
    async ready(stage) {
      await attachOne(stage, stage.restart());
      const { machine, otherMachine } = stage.world;
      return (provider, context) => provider.list([machine, otherMachine], context);
    },
  },
  inventory: {
    kind: 'read',
    ready: ({ world: { machine, wanted } }) =>
      Promise.resolve((provider, context) => provider.inventory({ ...wanted, machine }, context)),
  },
};

/** How soon a call has to be over after its signal or its deadline, in milliseconds of the world's clock. */
const SOON_MS = 1_000;
/** How long nothing may be sent afterwards, in milliseconds. */
const QUIET_MS = 600_000;

type Ending = (stage: Stage, provider: Provider, call: Call) => Promise<unknown>;

/** The signal is aborted while a request is under way. */
const aborted: Ending = async ({ world, wire }, provider, call) => {
  const stop = new AbortController();
  const struck = wire.struck();
  const work = call(provider, { signal: stop.signal, timeoutMs: QUIET_MS });
  await world.settle(Promise.race([work, struck]));
  stop.abort(new Error('the operator stops'));
  return world.settle(Promise.race([work, lateAfter(world, SOON_MS)]));
};

/** Nobody aborts anything, and the time of the call runs out. */
const timedOut: Ending = ({ world }, provider, call) => {
  const timeoutMs = provider.timeouts.read;
  const work = call(provider, { signal: new AbortController().signal, timeoutMs });
  return world.settle(Promise.race([work, lateAfter(world, timeoutMs + SOON_MS)]));
};

async function lateAfter({ clock }: Stage['world'], ms: number): Promise<'late'> {
  await delay(clock, ms);
  return 'late';
}

const endings: Readonly<Record<string, Ending>> = {
  'an abort while a request is under way': aborted,
  'a deadline while a request is under way': timedOut,
};

/** For each call and each of its requests: the request gets no answer, and the call is over in time all the same. */
export const stoppedCases: readonly ContractCase[] = Object.entries(endings).flatMap(([ending, end]) =>
  Object.entries(calls).map(([name, { ready }]) => ({
    name: `${name}: ${ending} ends the call at once, and nothing more is sent`,
    needs: ['http'] as const,
    run: (open: () => Stage) => stoppedAtEach(open, ready, end),
  })),
);

async function stoppedAtEach(open: () => Stage, ready: ReadyCall['ready'], end: Ending): Promise<string> {
  const count = await requestsOf(open(), ready);
  for (let number = 1; number <= count; number += 1) {
    await explained(`request ${number}`, async () => {
      const stage = open();
      const { world, wire } = stage;
      const call = await ready(stage);
      wire.strikeOnce(wire.sent.length + number, { tag: 'hang' });
      const outcome = await end(stage, stage.restart(), call);
      assert.notEqual(outcome, 'late', 'the call is not over');
      const { length } = wire.sent;
      await world.wait(QUIET_MS);
      const [more] = wire.sent.slice(length);
      assert.equal(more, undefined, `${more?.method ?? ''} ${more?.url ?? ''} was sent after the call was over`);
    });
  }
  return `${count} requests`;
}

async function requestsOf(stage: Stage, ready: ReadyCall['ready']): Promise<number> {
  const call = await ready(stage);
  const before = stage.wire.sent.length;
  const provider = stage.restart();
  await stage.world.settle(call(provider, contextOf(provider, 'mutate')));
  return stage.wire.sent.length - before;
}
