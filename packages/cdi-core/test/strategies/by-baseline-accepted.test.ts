import {
  byBaselineAccepted,
  detachByOperation,
  type GoalLook,
  type Progress,
  type ResumeOutcome,
  type Ticket,
} from '@cro/cdi-core';
import { VirtualClock } from '@cro/clock/testing';
import { decoderOf } from '@cro/crd-types';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { context, device, maker, toyFabric, wanted } from '../support/toy-fabric.ts';

const busy = { kind: 'Busy', message: 'at work' } as const;
const broken = { kind: 'Unreachable', message: 'no power' } as const;

/** A fabric that accepts one more, and tells of its progress as it is told. */
function open() {
  const machine = toyFabric([device('a')]);
  machine.answer = { tag: 'accepted', retryAfterMs: 1_000 };
  const told = { progress: { tag: 'none' } as Progress, plan: 'count 1' as string | undefined, noted: '', ended: 0 };
  const strategy = byBaselineAccepted<string, { tag: 'devices'; devices: typeof machine.devices }>(maker, {
    read: () => Promise.resolve({ tag: 'devices', devices: machine.devices }),
    plan: () => (told.plan === undefined ? { tag: 'failed', failure: busy } : { tag: 'planned', notes: told.plan }),
    decodeNotes: decoderOf(Type.String()),
    ask: (what, _, notes) => ((told.noted = notes), machine.ask(what)),
    progress: ({ isKnown, notes }) => (isKnown('a') && notes === 'count 1' ? told.progress : { tag: 'none' }),
    pace: { elapsedMs: () => 0, saw: () => undefined, waitMs: () => 7_000, end: () => (told.ended += 1) },
  });
  const request = { op: 'attach', holder: 'uid-1', claimed: [], ...wanted } as const;
  const ticket = async (): Promise<Ticket> => {
    const prepared = await strategy.prepare(request, context);
    if (prepared.tag !== 'ticket') throw new Error(prepared.tag);
    return prepared.ticket;
  };
  return { machine, told, strategy, request, ticket };
}

describe('an attach that is accepted', () => {
  test('is not prepared while the plan says no', async () => {
    const { strategy, told, request } = open();
    told.plan = undefined;
    expect(await strategy.prepare(request, context)).toEqual({ tag: 'failed', failure: busy });
  });

  test('hands its notes on through the ticket', async () => {
    const { strategy, ticket, told } = open();
    expect(await strategy.start(await ticket(), context)).toEqual({ tag: 'pending', retryAfterMs: 1_000 });
    expect(told.noted).toBe('count 1');
  });

  test.each<[Progress, ResumeOutcome]>([
    [{ tag: 'coming' }, { tag: 'pending', retryAfterMs: 7_000 }],
    [
      { tag: 'failed', failure: broken },
      { tag: 'notDone', failure: broken },
    ],
    [{ tag: 'none' }, { tag: 'unchanged', retryAfterMs: 7_000 }],
    [
      { tag: 'none', failure: broken },
      { tag: 'unchanged', retryAfterMs: 7_000, failure: broken },
    ],
  ])('%j is answered with %j', async (progress, outcome) => {
    const { strategy, ticket, told } = open();
    told.progress = progress;
    expect(await strategy.resume(await ticket(), context, [])).toEqual(outcome);
    expect(told.ended).toBe(outcome.tag === 'notDone' ? 1 : 0);
  });

  test('is done with a device that is new, whatever else is on its way', async () => {
    const { strategy, ticket, told, machine } = open();
    const begun = await ticket();
    told.progress = { tag: 'coming' };
    machine.devices.push(device('b'));
    expect(await strategy.resume(begun, context, [])).toEqual({ tag: 'done', device: device('b') });
    expect(await strategy.resume(begun, context, ['b'])).toMatchObject({ tag: 'pending' });
  });

  test('whose notes are damaged is in doubt, and asks for nothing', async () => {
    const { strategy, ticket, machine } = open();
    const begun = await ticket();
    const damaged = { ...begun, payload: { ...begun.payload, notes: 1 } };
    expect(await strategy.start(damaged, context)).toMatchObject({ tag: 'inDoubt', failure: { kind: 'Protocol' } });
    expect(machine.asked).toEqual([]);
  });
});

test.each<[GoalLook, ResumeOutcome]>([
  [{ tag: 'working' }, { tag: 'pending', retryAfterMs: 1_000 }],
  [{ tag: 'reached' }, { tag: 'done' }],
  [{ tag: 'notReached' }, { tag: 'unchanged', retryAfterMs: 1_000 }],
  [
    { tag: 'notReached', failure: broken },
    { tag: 'unchanged', retryAfterMs: 1_000, failure: broken },
  ],
  [
    { tag: 'refused', failure: broken },
    { tag: 'notDone', failure: broken },
  ],
  [
    { tag: 'failed', failure: busy },
    { tag: 'inDoubt', failure: busy },
  ],
])('a detach without a named operation: the look %j is answered with %j', async (look, outcome) => {
  const detach = detachByOperation<string>(maker, new VirtualClock(), {
    decodeNotes: decoderOf(Type.String()),
    find: () => Promise.resolve({ tag: 'found', subject: { cdiDeviceId: 'a', notes: 'one less' } }),
    submit: () => Promise.resolve({ tag: 'accepted' }),
    look: () => Promise.resolve(look),
    lagMs: 0,
  });
  const request = { op: 'detach', holder: 'uid-1', claimed: [], device: { cdiDeviceId: 'a' }, ...wanted } as const;
  const prepared = await detach.prepare(request, context);
  if (prepared.tag !== 'ticket') throw new Error(prepared.tag);
  expect(await detach.start(prepared.ticket, context)).toEqual({ tag: 'pending', retryAfterMs: 1_000 });
  expect(await detach.resume(prepared.ticket, context, [])).toEqual(outcome);
});
