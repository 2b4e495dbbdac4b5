import { describe, expect, test } from 'vitest';
import {
  stepRequest,
  type RequestDecision,
  type RequestFacts,
  type RequestOutcome,
  type RequestWords,
} from '../../src/index.ts';
import { anyRequestFacts, anyRequestWords } from './facts.ts';

const decide = (
  facts: Partial<RequestFacts>,
  outcome?: RequestOutcome,
  words: Partial<RequestWords> = {},
): RequestDecision => stepRequest({ ...anyRequestFacts, ...facts }, { ...anyRequestWords, ...words }, outcome).decision;

const fresh = { state: '', plan: 'none', online: 'notAll', children: 'none' } as const;
const planned: RequestOutcome = { request: 'plan', tag: 'planned', plan: { 'gpu-1': 'worker-0' } };
const unplaceable: RequestOutcome = {
  request: 'plan',
  tag: 'unplaceable',
  reason: 'InsufficientNodes',
  message: 'insufficient number of available nodes',
  plan: {},
};
const stateOf = (decision: RequestDecision) =>
  decision.tag === 'save' && 'report' in decision.change ? decision.change.report.state : decision.tag;

describe('the states (4.4)', () => {
  test('new: finalizer, plan, and straight to Updating when there is room', () => {
    expect(decide({ ...fresh, finalizer: false })).toEqual({ tag: 'save', change: { tag: 'addFinalizer' } });
    expect(decide(fresh)).toEqual({ tag: 'request', request: 'plan' });
    expect(decide(fresh, planned)).toMatchObject({
      tag: 'save',
      change: {
        tag: 'recordPlan',
        plan: { 'gpu-1': 'worker-0' },
        placed: true,
        report: { state: 'Updating', error: false },
      },
    });
  });
  test('no room: NodeAllocating with the error, written once, and looked at again', () => {
    const again = { tag: 'after', ms: 30_000 };
    const report = { state: 'NodeAllocating', reason: 'InsufficientNodes', message: unplaceable.message, error: true };
    expect(decide(fresh, unplaceable)).toEqual({
      tag: 'save',
      change: { tag: 'recordPlan', plan: {}, placed: false, report },
      pause: again,
    });
    expect(decide({ ...fresh, state: 'NodeAllocating', plan: 'current' }, unplaceable)).toEqual({
      tag: 'wait',
      report,
      again,
    });
  });
  test.each(['Updating', 'Running'] as const)(
    '%s: what is not planned goes, what is missing comes, in one go',
    (state) => {
      expect(decide({ state, extra: 'some', missing: 'some' })).toEqual({
        tag: 'request',
        request: 'deleteExtraChildren',
      });
      expect(decide({ state, missing: 'some', online: 'notAll' })).toEqual({
        tag: 'request',
        request: 'createChildren',
      });
    },
  );
  test('Updating: all Online leads to Running; one device that fails holds nobody', () => {
    expect(decide({ state: 'Updating' })).toMatchObject({ change: { report: { state: 'Running', error: false } } });
    const failing = decide({ state: 'Updating', online: 'notAll' }, undefined, { online: 1, childError: 'no device' });
    expect(failing).toMatchObject({
      tag: 'wait',
      report: { state: 'Updating', reason: 'DeviceFailing', message: 'no device', error: true },
    });
    expect(decide({ state: 'Updating', online: 'notAll' }, undefined, { online: 1 })).toMatchObject({
      tag: 'wait',
      report: { reason: 'WaitingForDevices', message: '1 of 2 devices are online.', error: false },
      again: { tag: 'event' },
    });
  });
  test.each(['Updating', 'Running'] as const)('%s: a changed spec is planned anew (6259d87)', (state) => {
    expect(decide({ state, plan: 'outdated' })).toEqual({ tag: 'request', request: 'plan' });
    expect(stateOf(decide({ state, plan: 'outdated' }, planned))).toBe('Updating');
    expect(stateOf(decide({ state, plan: 'outdated' }, unplaceable))).toBe('NodeAllocating');
  });
  test('Running: stays, without an error', () => {
    expect(decide({})).toMatchObject({ tag: 'wait', report: { state: 'Running', reason: 'Running', error: false } });
  });
  test.each(['', 'NodeAllocating', 'Updating', 'Running', 'Deleting'] as const)('"%s" deleted: Cleaning', (state) => {
    expect(stateOf(decide({ state, goal: 'gone' }))).toBe('Cleaning');
  });
  test('deleted before it had children: gone', () => {
    for (const state of ['', 'NodeAllocating'] as const)
      expect(decide({ state, goal: 'gone', children: 'none' })).toEqual({
        tag: 'save',
        change: { tag: 'removeFinalizer' },
      });
    expect(decide({ state: '', goal: 'gone', children: 'none', finalizer: false })).toEqual({ tag: 'nothing' });
  });
  test('Cleaning: all children are deleted, waited for, and it is gone', () => {
    const cleaning = { state: 'Cleaning', goal: 'gone' } as const;
    expect(decide(cleaning)).toEqual({ tag: 'request', request: 'deleteAllChildren' });
    expect(decide({ ...cleaning, children: 'leaving' })).toMatchObject({ tag: 'wait', again: { tag: 'event' } });
    expect(decide({ ...cleaning, children: 'none' })).toEqual({ tag: 'save', change: { tag: 'removeFinalizer' } });
  });
  test('Cleaning, and held by another finalizer too: it says that it is over, then lets go', () => {
    expect(stateOf(decide({ state: 'Cleaning', goal: 'gone', children: 'none', shared: true }))).toBe('Deleting');
    const deleting = { state: 'Deleting', goal: 'gone', children: 'none' } as const;
    expect(decide(deleting)).toEqual({ tag: 'save', change: { tag: 'removeFinalizer' } });
    expect(decide({ ...deleting, finalizer: false })).toEqual({ tag: 'nothing' });
  });
  test.each(['Cleaning', 'Deleting'] as const)('%s and not deleted: planned anew', (state) => {
    expect(decide({ state })).toEqual({ tag: 'request', request: 'plan' });
  });
});

describe('the target node (4.3)', () => {
  test.each(['', 'NodeAllocating', 'Updating', 'Running'] as const)(
    'gone, in "%s": says so, deletes itself',
    (state) => {
      const report = {
        state,
        reason: 'TargetNodeGone',
        message: 'target node worker-0 not found: the request deletes itself',
        error: true,
      };
      expect(decide({ state, target: 'gone' })).toEqual({ tag: 'request', request: 'deleteSelf', report });
      expect(decide({ state, target: 'gone' }, { request: 'deleteSelf', tag: 'done' })).toMatchObject({
        tag: 'wait',
        report,
      });
    },
  );
  test('a deletion that fails is told, and is no change of state', () => {
    const failure = { kind: 'Unreachable', message: 'no answer', retryAfterMs: 5 } as const;
    expect(decide({ target: 'gone' }, { request: 'deleteSelf', tag: 'failed', failure })).toEqual({
      tag: 'wait',
      report: { state: 'Running', reason: 'Unreachable', message: 'no answer', error: true },
      again: { tag: 'backoff', atLeastMs: 5 },
    });
  });
  test('not read yet: waits before it plans; planned, it does not matter', () => {
    expect(decide({ ...fresh, target: 'unknown' })).toMatchObject({
      tag: 'wait',
      report: { reason: 'WaitingForNode' },
    });
    expect(decide({ target: 'unknown' })).toMatchObject({ tag: 'wait', report: { reason: 'Running' } });
  });
});

describe('what is done changes something, or is waited for', () => {
  test.each([
    ['createChildren', { missing: 'some', online: 'notAll' }, 'Running'],
    ['deleteExtraChildren', { extra: 'some' }, 'Running'],
    ['deleteExtraChildren', { extra: 'some', state: 'NodeAllocating' }, 'NodeAllocating'],
    ['deleteAllChildren', { state: 'Cleaning', goal: 'gone' }, 'Cleaning'],
    ['ownChildren', { unowned: 'some' }, 'Running'],
  ] as const)('%s', (request, facts, state) => {
    expect(decide(facts)).toEqual({ tag: 'request', request });
    expect(decide(facts, { request, tag: 'done' })).toMatchObject({
      tag: 'wait',
      report: { state, error: false },
      again: { tag: 'after', ms: 30_000 },
    });
    const failure = { kind: 'Conflict', message: 'the name is taken' } as const;
    expect(decide(facts, { request, tag: 'failed', failure })).toEqual({
      tag: 'wait',
      report: { state, reason: 'Conflict', message: 'the name is taken', error: true },
      again: { tag: 'backoff' },
    });
  });
  test('the outcome of another row is ignored', () => {
    expect(decide({}, planned)).toEqual(decide({}));
    expect(decide({ missing: 'some' }, { request: 'deleteSelf', tag: 'done' })).toEqual(decide({ missing: 'some' }));
  });
});

test.each(['', 'NodeAllocating', 'Updating', 'Running', 'Cleaning'] as const)(
  'paused in "%s": nothing new',
  (state) => {
    expect(decide({ state, hold: 'paused', missing: 'some', plan: 'outdated' })).toMatchObject({
      tag: 'wait',
      report: { state, reason: 'Paused', error: false },
    });
  },
);

test('a device that was lost is planned anew, and leaves the record even when there is no room', () => {
  const lost = { lost: 'some', online: 'notAll' } as const;
  expect(decide(lost)).toEqual({ tag: 'request', request: 'plan' });
  expect(decide(lost, unplaceable)).toMatchObject({ tag: 'save', change: { tag: 'recordPlan', placed: false } });
});

test('finalizer removed by hand: put back', () => {
  expect(decide({ finalizer: false })).toEqual({ tag: 'save', change: { tag: 'addFinalizer' } });
});
