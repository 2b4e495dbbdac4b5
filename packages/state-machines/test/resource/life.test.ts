import { describe, expect, test } from 'vitest';
import { stepResource, type ResourceDecision, type ResourceFacts, type ResourceOutcome } from '../../src/index.ts';
import { anyFacts, anyWords } from './facts.ts';
import { ticketOf } from './object.ts';

const device = { deviceId: 'GPU-a', cdiDeviceId: 'RES-a' };
const failure = { kind: 'Unreachable', message: 'no answer' } as const;

const decide = (facts: Partial<ResourceFacts>, outcome?: ResourceOutcome): ResourceDecision =>
  stepResource({ ...anyFacts, ...facts }, anyWords, outcome).decision;

const LAST = ['prepareAttach', 'prepareDetach', 'identify'];

/** How requests end well that are not simply done. */
const WELL: Readonly<Record<string, string>> = {
  findLoad: 'idle',
  findAllocation: 'idle',
  confirmOnFabric: 'attached',
};

/** The requests of a row, one after the other, each but the last ending well. */
function requestsOf(facts: Partial<ResourceFacts>): string[] {
  const asked: string[] = [];
  for (let decision = decide(facts); decision.tag === 'request';) {
    const { request } = decision;
    asked.push(request);
    if (LAST.includes(request)) break;
    decision = decide(facts, { request, tag: WELL[request] ?? 'done' } as ResourceOutcome);
  }
  return asked;
}

const attaching = { state: 'Attaching' } as const;
const attached = { state: 'Attaching', device: 'identified' } as const;
const online = { state: 'Online', device: 'identified', visible: 'visible' } as const;
const detaching = { state: 'Detaching', device: 'identified', goal: 'gone', visible: 'visible' } as const;

describe('the life of a device, in the order of the facts', () => {
  test('new, without finalizer: the finalizer comes before anything else', () => {
    expect(decide({ finalizer: false })).toEqual({ tag: 'save', change: { tag: 'addFinalizer' } });
  });
  test('new, with finalizer: a driver, then a ticket; a saved ticket is started, once', () => {
    expect(requestsOf({})).toEqual(['ensureDriver', 'prepareAttach']);
    const prepared = decide({}, { request: 'prepareAttach', tag: 'ticket', ticket: ticketOf('attach') });
    expect(prepared).toMatchObject({
      tag: 'save',
      change: { tag: 'openTicket', report: { state: 'Attaching', error: false } },
    });
    expect(decide({ ...attaching, ticket: 'attach', started: 'no' })).toEqual({ tag: 'request', request: 'start' });
    expect(decide({ ...attaching, ticket: 'attach' })).toEqual({ tag: 'request', request: 'resume' });
  });
  test.each([
    ['visible already', 'visible', 'Online'],
    ['not visible yet', 'absent', 'Attaching'],
  ] as const)('attached, %s: ids and state in one write', (_when, visible, state) => {
    const facts = { ...attaching, ticket: 'attach', visible } as const;
    expect(decide(facts, { request: 'start', tag: 'done', device })).toMatchObject({
      tag: 'save',
      change: { tag: 'closeTicket', device, released: false, report: { state } },
    });
  });
  test('attached and not visible: the node is made to notice, then it is waited for, never longer than 30 s', () => {
    expect(requestsOf(attached)).toEqual(['refreshNode']);
    expect(decide(attached, { request: 'refreshNode', tag: 'done' })).toMatchObject({
      tag: 'wait',
      report: { state: 'Attaching', reason: 'NotVisible' },
      again: { tag: 'after', ms: 30_000 },
    });
  });
  test('visible: Online, without an error', () => {
    expect(decide({ ...attached, visible: 'visible' })).toMatchObject({
      tag: 'save',
      change: { tag: 'report', report: { state: 'Online', reason: 'Online', error: false } },
    });
  });
  test('Online and deleted: Detaching', () => {
    expect(decide({ ...online, goal: 'gone' })).toMatchObject({
      tag: 'save',
      change: { report: { state: 'Detaching' } },
    });
  });
  test('Detaching: load, fence, who got it until that stood, drain, and only then the fabric', () => {
    expect(requestsOf(detaching)).toEqual(['findLoad', 'fence', 'findAllocation', 'drain', 'prepareDetach']);
  });
  test('Detaching by force: nobody is asked, the node lets go in order all the same', () => {
    expect(requestsOf({ ...detaching, force: true })).toEqual(['fence', 'drain', 'prepareDetach']);
  });
  test('to be given back: the fabric confirms first that the device is its own, also by force', () => {
    const toGiveBack = { ...detaching, giveBack: true } as const;
    expect(requestsOf(toGiveBack)).toEqual([
      'confirmOnFabric',
      'findLoad',
      'fence',
      'findAllocation',
      'drain',
      'prepareDetach',
    ]);
    expect(requestsOf({ ...toGiveBack, force: true })).toEqual(['confirmOnFabric', 'fence', 'drain', 'prepareDetach']);
    expect(requestsOf({ ...toGiveBack, node: 'gone' })).toEqual(['confirmOnFabric', 'prepareDetach']);
    expect(requestsOf({ ...toGiveBack, device: 'unidentified' })).toEqual(['confirmOnFabric', 'prepareDetach']);
    expect(decide(toGiveBack, { request: 'confirmOnFabric', tag: 'notAttached' })).toMatchObject({
      tag: 'save',
      change: { tag: 'clearDevice', report: { state: 'Deleting', reason: 'Rejected', error: true } },
    });
  });
  test('released and still visible: the ids stay; gone from the node: fence lifted, and the object goes', () => {
    const released = { ...detaching, device: 'released' } as const;
    expect(requestsOf(released)).toEqual(['refreshNode']);
    expect(requestsOf({ ...released, visible: 'unknown' })).toEqual(['refreshNode']);
    expect(decide(released, { request: 'refreshNode', tag: 'done' })).toMatchObject({
      tag: 'wait',
      report: { state: 'Detaching', reason: 'StillVisible' },
    });
    expect(requestsOf({ ...released, visible: 'absent' })).toEqual(['unfence']);
    expect(decide({ ...released, visible: 'absent' }, { request: 'unfence', tag: 'done' })).toEqual({
      tag: 'save',
      change: { tag: 'removeFinalizer' },
    });
  });
  test('released, and held by another finalizer too: the ids are cleared, as the device may be somebody else’s soon', () => {
    const released = { ...detaching, device: 'released', visible: 'absent', shared: true } as const;
    expect(requestsOf(released)).toEqual(['unfence']);
    expect(decide(released, { request: 'unfence', tag: 'done' })).toMatchObject({
      tag: 'save',
      change: { tag: 'clearDevice', report: { state: 'Deleting', error: false } },
    });
  });
  test('Deleting: the finalizer goes; without it nothing is left to do', () => {
    expect(decide({ state: 'Deleting', goal: 'gone' })).toEqual({ tag: 'save', change: { tag: 'removeFinalizer' } });
    expect(decide({ state: 'Deleting', goal: 'gone', finalizer: false })).toEqual({ tag: 'nothing' });
  });
});

describe('deleted while Attaching (0b21ec3, OWN-19)', () => {
  test('no device, nothing asked for: the finalizer goes at once', () => {
    expect(decide({ ...attaching, goal: 'gone' })).toEqual({ tag: 'save', change: { tag: 'removeFinalizer' } });
  });
  test('a ticket that was never started is closed; one that may have been is resumed first', () => {
    const facts = { ...attaching, goal: 'gone', ticket: 'attach' } as const;
    expect(decide({ ...facts, started: 'no' })).toMatchObject({ tag: 'save', change: { tag: 'closeTicket' } });
    expect(decide(facts)).toEqual({ tag: 'request', request: 'resume' });
    expect(decide(facts, { request: 'resume', tag: 'done', device })).toMatchObject({
      tag: 'save',
      change: { tag: 'closeTicket', device, report: { state: 'Detaching' } },
    });
  });
  test('a device, with or without an error: Detaching', () => {
    expect(decide({ ...attached, goal: 'gone' })).toMatchObject({ change: { report: { state: 'Detaching' } } });
  });
});

describe('what became of a call', () => {
  const facts = { ...attaching, ticket: 'attach' } as const;
  test.each<[string, ResourceOutcome, object]>([
    ['refused', { request: 'start', tag: 'refused', failure }, { tag: 'save', pause: { tag: 'backoff' } }],
    ['not done', { request: 'resume', tag: 'notDone' }, { tag: 'save', pause: { tag: 'backoff' } }],
    [
      'unchanged when the settle window was over',
      { request: 'resume', tag: 'unchanged', settled: true, retryAfterMs: 1 },
      { tag: 'save', pause: { tag: 'backoff' } },
    ],
    [
      'unchanged within the settle window',
      { request: 'resume', tag: 'unchanged', settled: false, retryAfterMs: 7 },
      { tag: 'wait', again: { tag: 'after', ms: 7 }, report: { reason: 'Settling', error: false } },
    ],
    [
      'pending',
      { request: 'start', tag: 'pending', retryAfterMs: 7 },
      { tag: 'wait', again: { tag: 'after', ms: 7 }, report: { reason: 'Attaching', error: false } },
    ],
    [
      'pending with a new ticket',
      { request: 'start', tag: 'pending', ticket: ticketOf('attach'), retryAfterMs: 7 },
      { tag: 'save', change: { tag: 'updateTicket' }, pause: { tag: 'after', ms: 7 } },
    ],
    [
      'in doubt',
      { request: 'start', tag: 'inDoubt', failure: { ...failure, retryAfterMs: 9 } },
      { tag: 'wait', again: { tag: 'backoff', atLeastMs: 9 }, report: { reason: 'Unreachable', error: true } },
    ],
    [
      'done without naming the device',
      { request: 'resume', tag: 'done' },
      { tag: 'wait', report: { reason: 'Protocol', error: true } },
    ],
    [
      'done with a device that only the fabric has a name for',
      { request: 'resume', tag: 'done', device: { cdiDeviceId: 'RES-a' } },
      { tag: 'save', change: { tag: 'markAttached', report: { reason: 'NotIdentified' } } },
    ],
  ])('attach %s', (_what, outcome, expected) => {
    expect(decide(facts, outcome)).toMatchObject(expected);
  });
  test('only a ticket that came to nothing is closed without a device, and says so', () => {
    expect(decide(facts, { request: 'start', tag: 'refused', failure })).toMatchObject({
      change: {
        tag: 'closeTicket',
        released: false,
        report: { state: 'Attaching', error: true, message: 'no answer' },
      },
    });
  });
  test('a detach that is done: released', () => {
    expect(decide({ ...detaching, ticket: 'detach' }, { request: 'resume', tag: 'done' })).toMatchObject({
      change: { tag: 'closeTicket', released: true, report: { state: 'Detaching' } },
    });
  });
  test('a device that went already: released without a ticket', () => {
    expect(decide(detaching, { request: 'prepareDetach', tag: 'already' })).toMatchObject({
      change: { tag: 'recordReleased', report: { state: 'Detaching' } },
    });
  });
  test('a device that is attached already: recorded without a ticket; a provider that does not name it is at fault', () => {
    expect(decide({}, { request: 'prepareAttach', tag: 'already', device })).toMatchObject({
      change: { tag: 'recordDevice', device },
    });
    expect(decide({}, { request: 'prepareAttach', tag: 'already' })).toMatchObject({
      tag: 'wait',
      report: { reason: 'Protocol' },
    });
  });
  test('an unidentified device is identified, or given back when nobody wants it any more', () => {
    const unidentified = { ...attaching, ticket: 'attached', device: 'unidentified' } as const;
    expect(requestsOf(unidentified)).toEqual(['identify']);
    expect(decide(unidentified, { request: 'identify', tag: 'identified', device })).toMatchObject({
      change: { tag: 'closeTicket', device },
    });
    expect(decide(unidentified, { request: 'identify', tag: 'notYet', message: 'two new GPUs' })).toMatchObject({
      tag: 'wait',
      report: { reason: 'NotIdentified', message: 'two new GPUs', error: true },
    });
    for (const why of [{ goal: 'gone' }, { node: 'gone' }] as const)
      expect(decide({ ...unidentified, ...why })).toMatchObject({
        change: { tag: 'closeTicket', report: { state: 'Detaching' } },
      });
  });
});

describe('failures are told and tried again (8bc746a)', () => {
  test.each(['ensureDriver', 'prepareAttach'] as const)('%s', (request) => {
    expect(decide({}, { request, tag: 'failed', failure })).toEqual({
      tag: 'wait',
      report: { state: 'Attaching', reason: 'Unreachable', message: 'no answer', error: true },
      again: { tag: 'backoff' },
    });
  });
  test.each(['findLoad', 'fence', 'findAllocation', 'drain', 'prepareDetach'] as const)('%s', (request) => {
    expect(decide(detaching, { request, tag: 'failed', failure })).toEqual({
      tag: 'wait',
      report: { state: 'Detaching', reason: 'Unreachable', message: 'no answer', error: true },
      again: { tag: 'backoff' },
    });
  });
  test('without a way to fence it the device stays, and looks again', () => {
    const outcome = { request: 'fence', tag: 'unavailable', reason: 'FenceNotServed', message: 'not served' } as const;
    expect(decide(detaching, { ...outcome, goOn: false })).toEqual({
      tag: 'wait',
      report: { state: 'Detaching', reason: 'FenceNotServed', message: 'not served', error: true },
      again: { tag: 'after', ms: 60_000 },
    });
  });
  test('or goes on without, where that is configured, and notes it first', () => {
    const outcome = { request: 'fence', tag: 'unavailable', reason: 'FenceForbidden', message: 'forbidden' } as const;
    expect(decide(detaching, { ...outcome, goOn: true })).toEqual({
      tag: 'request',
      request: 'findAllocation',
      change: { tag: 'noteFence', missing: { reason: 'FenceForbidden', message: 'forbidden' } },
    });
    expect(decide(detaching, { request: 'fence', tag: 'done' })).toEqual({
      tag: 'request',
      request: 'findAllocation',
      change: { tag: 'noteFence' },
    });
  });
  test.each(['findLoad', 'findAllocation'] as const)(
    '%s keeps the device where it is, and names its user',
    (request) => {
      const used = decide(detaching, { request, tag: 'inUse', by: 'gpu_load_progress' });
      expect(used).toMatchObject({ tag: 'wait', report: { reason: 'InUse', error: true } });
      expect(used).toHaveProperty('report.message', expect.stringContaining('gpu_load_progress'));
    },
  );
});
