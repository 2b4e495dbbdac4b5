import { describe, expect, test } from 'vitest';
import { stepResource, type ResourceDecision, type ResourceFacts, type ResourceOutcome } from '../../src/index.ts';
import { anyFacts, anyWords } from './facts.ts';

const decide = (facts: Partial<ResourceFacts>, outcome?: ResourceOutcome): ResourceDecision =>
  stepResource({ ...anyFacts, ...facts }, anyWords, outcome).decision;
const online = { state: 'Online', device: 'identified', visible: 'visible' } as const;
const detaching = { state: 'Detaching', device: 'identified', goal: 'gone', visible: 'visible' } as const;

describe('Online never leaves by itself (5.3)', () => {
  test.each<[Partial<ResourceFacts>, object]>([
    [{ health: 'ok' }, { reason: 'Online', error: false }],
    [{ health: 'unlisted' }, { reason: 'Online', error: false }],
    [{ health: 'faulty' }, { reason: 'Unhealthy', error: true, message: anyWords.health }],
    [{ visible: 'absent' }, { reason: 'NotVisible', error: false }],
    [{ visible: 'unknown' }, { reason: 'Online', error: false }],
    [{ node: 'notReady' }, { reason: 'Online', error: false }],
    [{ node: 'unknown' }, { reason: 'Online', error: false }],
    [{ hold: 'paused' }, { reason: 'Online', error: false }],
    [
      { hold: 'paused', node: 'gone' },
      { reason: 'Online', error: false },
    ],
    [{ hold: 'detached' }, { reason: 'Detached', error: false }],
    [
      { hold: 'paused', goal: 'gone' },
      { reason: 'Paused', error: false },
    ],
  ])('%o', (facts, report) => {
    expect(decide({ ...online, ...facts })).toMatchObject({
      tag: 'wait',
      report: { state: 'Online', ...report },
      again: { tag: 'event' },
    });
  });
  test('an object that another operator left without a place gets one', () => {
    const facts = { ...online, location: 'missing' } as const;
    expect(decide(facts)).toEqual({ tag: 'request', request: 'locate' });
    expect(decide(facts, { request: 'locate', tag: 'located' })).toEqual({
      tag: 'save',
      change: { tag: 'recordLocation' },
    });
    expect(decide({ ...facts, node: 'unknown' })).toMatchObject({ tag: 'wait' });
  });
});

describe('the node is gone (c2e5f4e, OWN-18)', () => {
  test.each(['', 'Attaching', 'Online'] as const)('in state "%s": says so and deletes itself', (state) => {
    const device = state === 'Online' ? 'identified' : 'none';
    const report = {
      state: state === '' ? 'Attaching' : state,
      reason: 'NodeGone',
      message: 'target node worker-0 not found',
      error: true,
    };
    expect(decide({ state, device, node: 'gone' })).toEqual({
      tag: 'request',
      request: 'deleteSelf',
      change: { tag: 'report', report },
    });
    expect(decide({ state, device, node: 'gone' }, { request: 'deleteSelf', tag: 'done' })).toMatchObject({
      tag: 'wait',
      report,
    });
  });
  test('deleted: the fabric takes the device back, nobody asks the node', () => {
    expect(decide({ ...detaching, node: 'gone' })).toEqual({ tag: 'request', request: 'prepareDetach' });
    expect(decide({ ...detaching, node: 'gone', device: 'released' })).toEqual({ tag: 'request', request: 'unfence' });
  });
  test('deleted, and nobody knows which machine it was: a person is told what to do', () => {
    const blocked = decide({ ...detaching, node: 'gone', location: 'missing' });
    expect(blocked).toMatchObject({ tag: 'wait', report: { state: 'Detaching', reason: 'Blocked', error: true } });
    expect(blocked).toHaveProperty('report.message', expect.stringContaining('cohdi.io/detached=true'));
    const inDoubt = { state: 'Attaching', goal: 'gone', node: 'gone', location: 'missing', origin: 'inDoubt' } as const;
    expect(decide(inDoubt)).toMatchObject({ report: { state: 'Attaching', reason: 'Blocked' } });
  });
});

describe('the node is not ready, or not read yet', () => {
  test.each([
    [{ state: '' }, 'Attaching'],
    [{ state: 'Attaching' }, 'Attaching'],
    [detaching, 'Detaching'],
  ] as const)('%o waits', (facts, state) => {
    expect(decide({ ...facts, node: 'notReady' })).toMatchObject({
      tag: 'wait',
      report: { state, reason: 'NodeNotReady', message: 'node worker-0 is not ready', error: true },
    });
    expect(decide({ ...facts, node: 'unknown' })).toMatchObject({
      tag: 'wait',
      report: { state, reason: 'WaitingForNode', error: false },
    });
  });
  test('its place is recorded while it can still be found', () => {
    const facts = { node: 'notReady', location: 'missing' } as const;
    expect(decide({ ...detaching, ...facts })).toEqual({ tag: 'request', request: 'locate' });
    expect(decide({ state: 'Attaching', device: 'identified', ...facts })).toEqual({
      tag: 'request',
      request: 'locate',
    });
  });
});

describe('paused: nothing new is started, what is open is read to its end', () => {
  test.each([
    [{ state: '' }, 'Attaching'],
    [{ state: 'Attaching' }, 'Attaching'],
    [{ state: 'Attaching', device: 'identified' }, 'Attaching'],
    [detaching, 'Detaching'],
    [{ ...detaching, device: 'released' }, 'Detaching'],
  ] as const)('%o waits', (facts, state) => {
    expect(decide({ ...facts, hold: 'paused' })).toMatchObject({ tag: 'wait', report: { state, reason: 'Paused' } });
  });
  test.each(['attach', 'detach'] as const)('a prepared %s is not started; a started one is resumed', (ticket) => {
    const facts = {
      ...(ticket === 'attach' ? { state: 'Attaching' as const } : detaching),
      ticket,
      hold: 'paused',
    } as const;
    expect(decide({ ...facts, started: 'no' })).toMatchObject({ change: { tag: 'closeTicket', released: false } });
    expect(decide(facts)).toEqual({ tag: 'request', request: 'resume' });
  });
});

describe('detached: the hardware is not touched', () => {
  test.each(['Attaching', 'Online', 'Detaching', 'Deleting'] as const)(
    'deleted in %s: spared, then let go',
    (state) => {
      const facts = { state, device: 'identified', goal: 'gone', hold: 'detached' } as const;
      const first = state === 'Detaching' ? 'unfence' : 'spareDevice';
      expect(decide(facts)).toEqual({ tag: 'request', request: first });
      expect(decide(facts, { request: 'spareDevice', tag: 'done' })).toEqual({
        tag: 'save',
        change: { tag: 'removeFinalizer' },
      });
    },
  );
  test('deleted without a device: let go', () => {
    const facts = { state: 'Attaching', goal: 'gone', hold: 'detached', origin: 'inDoubt' } as const;
    expect(decide(facts)).toEqual({ tag: 'save', change: { tag: 'removeFinalizer' } });
  });
  test.each(['', 'Attaching', 'Online', 'Detaching'] as const)('not deleted, in state "%s": stays', (state) => {
    expect(decide({ state, hold: 'detached' })).toMatchObject({ tag: 'wait', report: { reason: 'Detached' } });
  });
});

describe('left by another operator in the middle of an attach', () => {
  const left = { state: 'Attaching', origin: 'inDoubt' } as const;
  test.each(['present', 'gone'] as const)('waits for the settle window, when wanted: %s', (goal) => {
    expect(decide({ ...left, goal })).toMatchObject({
      tag: 'wait',
      report: { reason: 'Settling', error: false },
      again: { tag: 'after' },
    });
  });
  test('then takes the one device that turned up, or attaches one', () => {
    const settled = { state: 'Attaching', origin: 'settled' } as const;
    const device = { deviceId: 'GPU-a', cdiDeviceId: 'RES-a' };
    expect(decide(settled)).toEqual({ tag: 'request', request: 'findUnowned' });
    expect(decide(settled, { request: 'findUnowned', tag: 'one', device })).toMatchObject({
      change: { tag: 'recordDevice', device, report: { state: 'Attaching' } },
    });
    expect(decide({ ...settled, goal: 'gone' }, { request: 'findUnowned', tag: 'one', device })).toMatchObject({
      change: { tag: 'recordDevice', report: { state: 'Detaching' } },
    });
    expect(decide(settled, { request: 'findUnowned', tag: 'noneOrMany' })).toMatchObject({
      change: { tag: 'report', report: { state: 'Attaching', reason: 'Attaching' } },
    });
    const failure = { kind: 'Unreachable', message: 'no answer' } as const;
    expect(decide(settled, { request: 'findUnowned', tag: 'failed', failure })).toMatchObject({
      tag: 'wait',
      report: { reason: 'Unreachable', message: 'no answer' },
    });
  });
});

describe('made to give a device back (ca4e8be)', () => {
  test('takes the ids from its labels, then deletes itself, in whichever state it is', () => {
    expect(decide({ giveBack: true })).toMatchObject({ change: { tag: 'takeIdsFromLabels' } });
    for (const state of ['Attaching', 'Online'] as const)
      expect(decide({ state, giveBack: true, device: 'identified', visible: 'visible' })).toMatchObject({
        tag: 'request',
        request: 'deleteSelf',
        change: { report: { state } },
      });
  });
  test('without a device to give back it attaches none', () => {
    expect(decide({ state: 'Attaching', giveBack: true })).toMatchObject({ tag: 'request', request: 'deleteSelf' });
  });
});

describe('what runs is left alone, or given up where it is not wanted any more', () => {
  test.each<[Partial<ResourceFacts>, string]>([
    [{ running: 'withTicket', ticket: 'attach', goal: 'gone' }, 'await'],
    [{ running: 'withTicket', ticket: 'attach', hold: 'detached' }, 'await'],
    [{ running: 'beforeTicket' }, 'await'],
    [{ running: 'beforeTicket', goal: 'gone' }, 'abort'],
    [{ running: 'queued', goal: 'gone' }, 'abort'],
    [{ running: 'beforeTicket', hold: 'paused' }, 'abort'],
    [{ running: 'beforeTicket', hold: 'detached' }, 'abort'],
    [{ running: 'beforeTicket', goal: 'gone', origin: 'settled' }, 'await'],
    [{ running: 'beforeTicket', goal: 'gone', device: 'identified' }, 'abort'],
    [{ running: 'beforeTicket', goal: 'gone', hold: 'paused', device: 'identified' }, 'abort'],
    [{ running: 'beforeTicket', hold: 'paused', device: 'identified', location: 'known' }, 'abort'],
    // What runs for these is asked for again: it is not the wait for the device.
    [{ running: 'beforeTicket', goal: 'gone', hold: 'detached', device: 'identified' }, 'await'],
    [{ running: 'beforeTicket', hold: 'paused', device: 'identified', location: 'missing' }, 'await'],
    [{ running: 'queued' }, 'wait'],
  ])('Attaching, %o: %s', (facts, tag) => {
    expect(decide({ state: 'Attaching', ...facts }).tag).toBe(tag);
  });
  test.each<[Partial<ResourceFacts>, string]>([
    [{}, 'await'],
    [{ hold: 'paused' }, 'abort'],
    [{ hold: 'detached', goal: 'present' }, 'abort'],
    [{ hold: 'detached' }, 'await'],
  ])('Detaching, %o: %s', (facts, tag) => {
    expect(decide({ ...detaching, running: 'beforeTicket', ...facts }).tag).toBe(tag);
  });
});

describe('finalizers', () => {
  test.each(['Attaching', 'Online', 'Detaching'] as const)(
    'removed by hand in %s: put back before the next call',
    (state) => {
      expect(decide({ state, finalizer: false })).toEqual({ tag: 'save', change: { tag: 'addFinalizer' } });
      expect(decide({ state, finalizer: false, ticket: 'attach', started: 'no' })).toEqual({
        tag: 'save',
        change: { tag: 'addFinalizer' },
      });
    },
  );
  test('deleted without our finalizer: not ours any more; a prepared call is not made', () => {
    expect(decide({ ...detaching, finalizer: false })).toEqual({ tag: 'nothing' });
    expect(decide({ ...detaching, finalizer: false, ticket: 'detach', started: 'no' })).toMatchObject({
      change: { tag: 'closeTicket' },
    });
    expect(decide({ ...detaching, finalizer: false, ticket: 'detach' })).toEqual({ tag: 'request', request: 'resume' });
  });
  test('Deleting with a device, as the Go operator leaves it when the node is gone: detached after all', () => {
    expect(decide({ state: 'Deleting', device: 'identified', goal: 'gone' })).toMatchObject({
      change: { tag: 'report', report: { state: 'Detaching' } },
    });
  });
  test('Deleting and not deleted: deletes itself', () => {
    expect(decide({ state: 'Deleting' })).toMatchObject({ tag: 'request', request: 'deleteSelf' });
  });
});
