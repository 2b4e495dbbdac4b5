import type { Domain } from '../combinations.ts';
import type { Failure, Operation, ResourceState } from '@cro/crd-types';
import type { ResourceFacts } from './facts.ts';
import type { Device, ResourceOutcome } from './outcome.ts';

const BOOLEAN = [false, true] as const;

/** Every value of every fact of the resource machine. */
export const resourceDomain: Domain<ResourceFacts> = {
  state: ['', 'Attaching', 'Online', 'Detaching', 'Deleting'],
  goal: ['present', 'gone'],
  finalizer: BOOLEAN,
  shared: BOOLEAN,
  hold: ['none', 'paused', 'detached'],
  giveBack: BOOLEAN,
  force: BOOLEAN,
  ticket: ['none', 'attach', 'attached', 'detach'],
  started: ['no', 'maybe'],
  device: ['none', 'unidentified', 'identified', 'released'],
  visible: ['visible', 'absent', 'unknown'],
  node: ['ready', 'notReady', 'gone', 'unknown'],
  location: ['known', 'missing'],
  origin: ['ours', 'inDoubt', 'settled'],
  health: ['ok', 'faulty', 'unlisted'],
  running: ['nothing', 'queued', 'beforeTicket', 'withTicket'],
};

/**
 * The values that facts take in each state when nobody writes into the status by hand; a fact that is not named takes all of
 * its values. Exploring the machine shows that this holds.
 */
export const resourceDomainIn: Readonly<Record<ResourceState, Partial<Domain<ResourceFacts>>>> = {
  '': { ticket: ['none'], device: ['none'], origin: ['ours'], location: ['missing'] },
  Attaching: { ticket: ['none', 'attach', 'attached'], device: ['none', 'unidentified', 'identified'] },
  Online: { ticket: ['none'], device: ['identified'], origin: ['ours'] },
  Detaching: { ticket: ['none', 'detach'], origin: ['ours'] },
  Deleting: { ticket: ['none'], device: ['none', 'identified'], origin: ['ours'] },
};

/** Facts that exclude each other when nobody writes into the status by hand. */
export function isConsistent({ ticket, started, device, origin }: ResourceFacts): boolean {
  if (origin !== 'ours' && (device !== 'none' || ticket !== 'none')) return false;
  switch (ticket) {
    case 'none':
      return started === 'maybe';
    case 'attach':
      return device === 'none';
    case 'attached':
      return device === 'unidentified' && started === 'maybe';
    case 'detach':
      return device === 'unidentified' || device === 'identified';
  }
}

const failure: Failure = { kind: 'Unreachable', message: 'no answer' };
const device: Device = { deviceId: 'GPU-1', cdiDeviceId: 'RES-1' };
const unnamed: Device = { cdiDeviceId: 'RES-1' };
const ticketFor = (op: Operation['op']): Operation => ({
  id: `${op}-1`,
  op,
  provider: 'fabric',
  version: 1,
  machine: 'machine-1',
  holder: 'uid-1',
  phase: 'open',
  payload: {},
});
const ticket = ticketFor('attach');

const PLAIN = ['ensureDriver', 'refreshNode', 'fence', 'drain', 'unfence', 'spareDevice', 'deleteSelf'] as const;

/** One outcome of each kind that a request of the resource machine can have. */
export const resourceOutcomes: readonly ResourceOutcome[] = [
  ...PLAIN.flatMap((request): ResourceOutcome[] => [
    { request, tag: 'done' },
    { request, tag: 'failed', failure },
  ]),
  ...[true, false].map((goOn): ResourceOutcome => {
    return { request: 'fence', tag: 'unavailable', reason: 'FenceNotServed', message: 'not served', goOn };
  }),
  { request: 'findUnowned', tag: 'one', device },
  { request: 'findUnowned', tag: 'one', device: unnamed },
  { request: 'findUnowned', tag: 'noneOrMany' },
  { request: 'findUnowned', tag: 'failed', failure },
  { request: 'confirmOnFabric', tag: 'attached' },
  { request: 'confirmOnFabric', tag: 'notAttached' },
  { request: 'confirmOnFabric', tag: 'failed', failure },
  { request: 'prepareAttach', tag: 'ticket', ticket },
  { request: 'prepareAttach', tag: 'already', device },
  { request: 'prepareAttach', tag: 'already' },
  { request: 'prepareAttach', tag: 'failed', failure },
  { request: 'prepareDetach', tag: 'ticket', ticket: ticketFor('detach') },
  { request: 'prepareDetach', tag: 'already' },
  { request: 'prepareDetach', tag: 'failed', failure },
  ...(['start', 'resume'] as const).flatMap((request): ResourceOutcome[] => [
    { request, tag: 'done', device },
    { request, tag: 'done', device: unnamed },
    { request, tag: 'done' },
    { request, tag: 'pending', retryAfterMs: 1000 },
    { request, tag: 'pending', ticket: { ...ticket, payload: { applyId: 'a-1' } }, retryAfterMs: 1000 },
    { request, tag: 'inDoubt', failure },
  ]),
  { request: 'start', tag: 'refused', failure },
  { request: 'resume', tag: 'notDone' },
  { request: 'resume', tag: 'notDone', failure },
  { request: 'resume', tag: 'unchanged', settled: false, retryAfterMs: 1000 },
  { request: 'resume', tag: 'unchanged', settled: true, retryAfterMs: 1000 },
  { request: 'locate', tag: 'located' },
  { request: 'locate', tag: 'failed', failure },
  { request: 'identify', tag: 'identified', device },
  { request: 'identify', tag: 'notYet', message: 'not yet' },
  { request: 'identify', tag: 'failed', failure },
  ...(['findLoad', 'findAllocation'] as const).flatMap((request): ResourceOutcome[] => [
    { request, tag: 'idle' },
    { request, tag: 'inUse', by: 'a process' },
    { request, tag: 'failed', failure },
  ]),
];

/** A device that nothing is known of yet, on a ready node. */
export const newResource: ResourceFacts = {
  state: '',
  goal: 'present',
  finalizer: true,
  shared: false,
  hold: 'none',
  giveBack: false,
  force: false,
  ticket: 'none',
  started: 'maybe',
  device: 'none',
  visible: 'absent',
  node: 'ready',
  location: 'known',
  origin: 'ours',
  health: 'ok',
  running: 'nothing',
};
