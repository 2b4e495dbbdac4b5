import {
  byOperation,
  type GoalLook,
  type OperationFabric,
  type OperationStatus,
  type Submitted,
  type Ticket,
} from '@cro/cdi-core';
import { VirtualClock } from '@cro/clock/testing';
import { decoderOf } from '@cro/crd-types';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { context, maker, wanted } from '../support/toy-fabric.ts';

const lost = { kind: 'InDoubt', message: 'lost' } as const;
const refusal = { kind: 'Busy', message: 'no' } as const;
const device = { cdiDeviceId: 'd-1', health: { level: 'ok' } } as const;

/** A fabric that answers each question as it is told. */
function open(search?: OperationFabric<string>['search']) {
  const clock = new VirtualClock();
  const answers = {
    submitted: { tag: 'accepted', operation: 'op-1' } as Submitted,
    status: { tag: 'running' } as OperationStatus,
    look: { tag: 'notReached' } as GoalLook,
    asked: [] as unknown[],
  };
  const subject = { cdiDeviceId: 'd-1', hints: { serialNumber: 's' }, notes: 'note' };
  const strategies = byOperation<string>(maker, clock, {
    decodeNotes: decoderOf(Type.String()),
    choose: () => Promise.resolve({ tag: 'chosen', subject }),
    find: ({ device: { cdiDeviceId } }) =>
      Promise.resolve(cdiDeviceId === 'gone' ? { tag: 'gone' } : { tag: 'found', subject }),
    submit: (target) => (answers.asked.push(target), Promise.resolve(answers.submitted)),
    poll: (operation) => (answers.asked.push(operation), Promise.resolve(answers.status)),
    look: () => Promise.resolve(answers.look),
    ...(search === undefined ? {} : { search }),
    lagMs: 30_000,
  });
  const request = { holder: 'uid-1', claimed: [], ...wanted };
  return {
    clock,
    answers,
    ...strategies,
    async ticket(op: 'attach' | 'detach' = 'attach'): Promise<Ticket> {
      const prepared =
        op === 'attach'
          ? await strategies.attach.prepare({ op, ...request }, context)
          : await strategies.detach.prepare({ op, ...request, device: { cdiDeviceId: 'd-1' } }, context);
      if (prepared.tag !== 'ticket') throw new Error(prepared.tag);
      return prepared.ticket;
    },
    /** A ticket of an operation that the fabric has accepted. */
    async accepted(op: 'attach' | 'detach' = 'attach'): Promise<Ticket> {
      const started = await strategies[op].start(await this.ticket(op), context);
      if (started.tag !== 'pending' || started.ticket === undefined) throw new Error(started.tag);
      return started.ticket;
    },
  };
}

describe('start', () => {
  test('keeps the operation in the ticket, and the hints', async () => {
    const world = open();
    const ticket = await world.accepted();
    expect(ticket.payload).toEqual({
      strategy: 'operation',
      type: 'gpu',
      model: 'A100',
      cdiDeviceId: 'd-1',
      hints: { serialNumber: 's' },
      notes: 'note',
      operation: 'op-1',
    });
    expect(world.answers.asked).toMatchObject([{ id: ticket.id, op: 'attach', machine: 'm-1', notes: 'note' }]);
  });

  test.each<[Submitted, unknown]>([
    [
      { tag: 'done', device },
      { tag: 'done', device },
    ],
    [
      { tag: 'done' },
      { tag: 'done', device: { cdiDeviceId: 'd-1', hints: { serialNumber: 's' }, health: { level: 'unknown' } } },
    ],
    [{ tag: 'accepted' }, { tag: 'pending', retryAfterMs: 1_000 }],
    [
      { tag: 'accepted', retryAfterMs: 7_000 },
      { tag: 'pending', retryAfterMs: 7_000 },
    ],
    [
      { tag: 'accepted', retryAfterMs: 0 },
      { tag: 'pending', retryAfterMs: 1_000 },
    ],
    [
      { tag: 'refused', failure: refusal },
      { tag: 'refused', failure: refusal },
    ],
    [
      { tag: 'inDoubt', failure: lost },
      { tag: 'inDoubt', failure: lost },
    ],
  ])('answered with %j', async (submitted, outcome) => {
    const world = open();
    world.answers.submitted = submitted;
    expect(await world.attach.start(await world.ticket(), context)).toMatchObject(outcome as object);
  });
});

describe('resume', () => {
  test('leaves the fabric alone for as long as it wants to be', async () => {
    const world = open();
    const ticket = await world.accepted();
    Object.assign(world.answers, { status: { tag: 'running', retryAfterMs: 30_000 } });
    expect(await world.attach.resume(ticket, context, [])).toMatchObject({ tag: 'pending', retryAfterMs: 30_000 });
  });

  test.each<[OperationStatus, GoalLook, string]>([
    [{ tag: 'running' }, { tag: 'reached' }, 'pending'],
    [{ tag: 'running', failure: lost }, { tag: 'reached' }, 'inDoubt'],
    [{ tag: 'failed', failure: lost }, { tag: 'reached' }, 'inDoubt'],
    [{ tag: 'ended' }, { tag: 'reached', device }, 'done'],
    [{ tag: 'ended' }, { tag: 'notReached' }, 'pending'],
    [{ tag: 'ended' }, { tag: 'working' }, 'pending'],
    [{ tag: 'ended' }, { tag: 'refused', failure: refusal }, 'notDone'],
    [{ tag: 'ended' }, { tag: 'failed', failure: lost }, 'inDoubt'],
    [{ tag: 'undone', failure: refusal }, { tag: 'reached', device }, 'done'],
    [{ tag: 'undone', failure: refusal }, { tag: 'notReached' }, 'notDone'],
    [{ tag: 'unclear', failure: lost }, { tag: 'reached', device }, 'done'],
    [{ tag: 'unclear', failure: lost }, { tag: 'notReached' }, 'unchanged'],
    [{ tag: 'gone' }, { tag: 'reached', device }, 'done'],
    [{ tag: 'gone' }, { tag: 'notReached' }, 'unchanged'],
  ])('an operation that is %j and a fabric that shows %j', async (status, look, tag) => {
    const world = open();
    const ticket = await world.accepted();
    Object.assign(world.answers, { status, look });
    expect((await world.attach.resume(ticket, context, [])).tag).toBe(tag);
  });

  test('what is over and not shown is pending for a while, then in doubt, and done when it is shown', async () => {
    const world = open();
    const ticket = await world.accepted('detach');
    world.answers.status = { tag: 'ended' };
    expect((await world.detach.resume(ticket, context, [])).tag).toBe('pending');
    await world.clock.advance(30_000);
    const told = await world.detach.resume(ticket, context, []);
    expect(told).toMatchObject({ tag: 'inDoubt', failure: { kind: 'InDoubt' } });
    expect(JSON.stringify(told)).toContain("device 'd-1' is off machine 'm-1'");
    world.answers.look = { tag: 'reached' };
    expect(await world.detach.resume(ticket, context, [])).toEqual({ tag: 'done' });
  });

  test('a lost answer is searched for; without a record of operations the fabric itself is looked at', async () => {
    const found = open(() => Promise.resolve({ tag: 'found', operation: 'op-7' }));
    const resumed = await found.attach.resume(await found.ticket(), context, []);
    expect(resumed).toMatchObject({ tag: 'pending', ticket: { payload: { operation: 'op-7' } } });
    const failed = open(() => Promise.resolve({ tag: 'failed', failure: lost }));
    expect(await failed.attach.resume(await failed.ticket(), context, [])).toEqual({ tag: 'inDoubt', failure: lost });
    for (const none of [open(() => Promise.resolve({ tag: 'none' })), open()]) {
      expect((await none.attach.resume(await none.ticket(), context, [])).tag).toBe('unchanged');
      none.answers.look = { tag: 'working' };
      expect((await none.attach.resume(await none.ticket(), context, [])).tag).toBe('pending');
    }
  });

  test('a look comes each second while it moves, then less often, and when the fabric wishes', async () => {
    const world = open();
    const ticket = await world.accepted();
    const waits: number[] = [];
    const look = async (ms: number, status: OperationStatus) => {
      await world.clock.advance(ms);
      world.answers.status = status;
      const outcome = await world.attach.resume(ticket, context, []);
      if (outcome.tag === 'pending') waits.push(outcome.retryAfterMs);
    };
    await look(0, { tag: 'running', sign: '10%' });
    await look(900_000, { tag: 'running', sign: '10%' });
    await look(0, { tag: 'running', sign: '20%' });
    await look(0, { tag: 'running', sign: '20%', retryAfterMs: 4_000 });
    expect(waits).toEqual([1_000, 15_000, 1_000, 4_000]);
  });
});

describe('detach', () => {
  test('of what is gone is a success; of nothing at all a wrong request', async () => {
    const { detach } = open();
    const request = { op: 'detach', holder: 'uid-1', claimed: [], ...wanted } as const;
    expect(await detach.prepare({ ...request, device: { cdiDeviceId: 'gone' } }, context)).toEqual({ tag: 'already' });
    const nothing = await detach.prepare({ ...request, device: {} }, context);
    expect(nothing).toMatchObject({ tag: 'failed', failure: { kind: 'Rejected' } });
  });
});

test.each([
  [{ notes: 7 }, 'notes: '],
  [{ cdiDeviceId: '' }, 'cdiDeviceId'],
])('a ticket with %j is in doubt, and nothing is asked', async (damage, reason) => {
  const world = open();
  const ticket = await world.accepted();
  const damaged = { ...ticket, payload: { ...ticket.payload, ...damage } };
  const before = world.answers.asked.length;
  const outcomes = [await world.attach.start(damaged, context), await world.attach.resume(damaged, context, [])];
  for (const outcome of outcomes) expect(outcome).toMatchObject({ tag: 'inDoubt', failure: { kind: 'Protocol' } });
  expect(JSON.stringify(outcomes)).toContain(reason);
  expect(world.answers.asked).toHaveLength(before);
});
