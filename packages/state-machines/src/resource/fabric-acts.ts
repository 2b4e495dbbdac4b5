import type { Failure } from '@cro/crd-types';
import {
  backoff,
  failing,
  going,
  request,
  retry,
  save,
  stage,
  stateOf,
  steps,
  watchFor,
  type Act,
  type Stage,
} from './acts.ts';
import type { ResourceDecision, ResourceReport } from './decision.ts';
import type { ResourceFacts, ResourceWords } from './facts.ts';
import type { Device, ResourceOutcome } from './outcome.ts';

/** Nothing to be done by a stage that always decides: reached only when a row's stages are all `next`. */
const finish = (facts: ResourceFacts): ResourceDecision =>
  watchFor(going(stateOf(facts), 'Attaching', 'Looking again.'));

/** Where a device that is on the fabric now stands: Online when it is wanted and the cluster sees it already. */
export function afterAttach(device: Device, facts: ResourceFacts, words: ResourceWords): ResourceReport {
  if (facts.goal === 'gone') return going('Detaching', 'Detaching', 'Attached while being deleted: it is given back.');
  if (device.deviceId !== undefined && facts.visible === 'visible') return going('Online', 'Online', onlineText(words));
  return going('Attaching', 'NotVisible', notVisibleText(words));
}

/** Text of a device that works. */
export function onlineText(words: ResourceWords): string {
  return `The device is attached and visible on node ${words.node}.`;
}

/** Text of a device that the node does not show yet. */
export function notVisibleText(words: ResourceWords): string {
  return `The device is attached; waiting until node ${words.node} shows it${more(words)}.`;
}

/** What is missing, where that is known. */
export function more({ missing }: ResourceWords): string {
  return missing === '' ? '' : `: ${missing}`;
}

const prepareAttach = stage('prepareAttach', (outcome, facts, words) => {
  switch (outcome.tag) {
    case 'ticket':
      return save({
        tag: 'openTicket',
        ticket: outcome.ticket,
        report: going('Attaching', 'Attaching', `Asking the fabric for one ${words.model} for node ${words.node}.`),
      });
    case 'already':
      return outcome.device === undefined
        ? retry('Attaching', unnamedDevice)
        : save({ tag: 'recordDevice', device: outcome.device, report: afterAttach(outcome.device, facts, words) });
    case 'failed':
      return retry('Attaching', outcome.failure);
  }
});

const prepareDetach = stage('prepareDetach', (outcome, _facts, words) => {
  switch (outcome.tag) {
    case 'ticket':
      return save({
        tag: 'openTicket',
        ticket: outcome.ticket,
        report: going('Detaching', 'Detaching', `Asking the fabric to take the device back from node ${words.node}.`),
      });
    case 'already':
      return save({ tag: 'recordReleased', report: releasedReport(words) });
    case 'failed':
      return retry('Detaching', outcome.failure);
  }
});

const unnamedDevice: Failure = {
  kind: 'Protocol',
  message: 'The provider says that a device is attached already and does not name it: this is a fault of the provider.',
};

function releasedReport(words: ResourceWords): ResourceReport {
  return going(
    'Detaching',
    'StillVisible',
    `The fabric took the device back; waiting until node ${words.node} no longer shows it.`,
  );
}

/** Attach: the node's driver first, then the lane, the fabric's state and a ticket. */
export function prepareAttachAfter(...before: Stage[]): Act {
  return steps([...before, prepareAttach], finish);
}

/** Detach: what must happen on the node first, then the lane, the fabric's state and a ticket. */
export function prepareDetachAfter(...before: Stage[]): Act {
  return steps([...before, prepareDetach], finish);
}

type FabricOutcome = Extract<ResourceOutcome, { readonly request: 'start' | 'resume' }>;

function isFabricOutcome(outcome: ResourceOutcome): outcome is FabricOutcome {
  return outcome.request === 'start' || outcome.request === 'resume';
}

/** What the end of a fabric call means, whoever asked: the call itself, or a later look at what became of it. */
function concludeTicket(outcome: FabricOutcome, facts: ResourceFacts, words: ResourceWords): ResourceDecision {
  switch (outcome.tag) {
    case 'done':
      return facts.ticket === 'detach' ? closeReleased(words) : closeAttached(outcome.device, facts, words);
    case 'pending':
      return outcome.ticket === undefined
        ? { tag: 'wait', report: underWay(facts, words), again: { tag: 'after', ms: outcome.retryAfterMs } }
        : save({ tag: 'updateTicket', ticket: outcome.ticket }, { tag: 'after', ms: outcome.retryAfterMs });
    case 'inDoubt':
      return retry(ticketState(facts), outcome.failure);
    case 'refused':
      return closeUndone(facts, outcome.failure);
    case 'notDone':
      return closeUndone(facts, outcome.failure ?? lost);
    case 'unchanged':
      return outcome.settled
        ? closeUndone(facts, outcome.failure ?? lost)
        : { tag: 'wait', report: settling(facts), again: { tag: 'after', ms: outcome.retryAfterMs } };
  }
}

function closeReleased(words: ResourceWords): ResourceDecision {
  return save({ tag: 'closeTicket', released: true, report: releasedReport(words) });
}

function closeAttached(device: Device | undefined, facts: ResourceFacts, words: ResourceWords): ResourceDecision {
  if (device === undefined) return retry('Attaching', unnamedDevice);
  if (device.deviceId === undefined) {
    return save({ tag: 'markAttached', device, report: going('Attaching', 'NotIdentified', unidentifiedText(words)) });
  }
  return save({ tag: 'closeTicket', device, released: false, report: afterAttach(device, facts, words) });
}

function unidentifiedText(words: ResourceWords): string {
  return `The device is attached; finding out what node ${words.node} calls it.`;
}

/** Closes a ticket that came to nothing, says why, and allows a new one after a while. */
function closeUndone(facts: ResourceFacts, failure: Failure): ResourceDecision {
  const report = failing(ticketState(facts), failure.kind, failure.message);
  return save({ tag: 'closeTicket', released: false, report }, backoff(failure));
}

function underWay(facts: ResourceFacts, words: ResourceWords): ResourceReport {
  return facts.ticket === 'detach'
    ? going('Detaching', 'Detaching', `The fabric is taking the device back from node ${words.node}.`)
    : going('Attaching', 'Attaching', `The fabric is attaching one ${words.model} to node ${words.node}.`);
}

function ticketState(facts: ResourceFacts): 'Attaching' | 'Detaching' {
  return facts.ticket === 'detach' ? 'Detaching' : 'Attaching';
}

const lost: Failure = {
  kind: 'Unreachable',
  message: 'The call to the fabric was lost, and the fabric has not changed since: trying again.',
};

/** Calls the fabric for the ticket that this process has just saved. */
export const startTicket: Act = ticketAct('start');

/** Finds out what became of a ticket for which the fabric may have been called. */
export const resumeTicket: Act = ticketAct('resume');

function ticketAct(next: 'start' | 'resume'): Act {
  return (facts, words, outcome) =>
    outcome !== undefined && isFabricOutcome(outcome) ? concludeTicket(outcome, facts, words) : request(next);
}

function settling(facts: ResourceFacts): ResourceReport {
  const message =
    'The fabric may still be at work on a call whose answer was lost: waiting for its effect, or for the settle window to end.';
  return going(ticketState(facts), 'Settling', message);
}

/** Closes a ticket for which the fabric was certainly not called, as the object may not start anything any more. */
export const dropTicket: Act = (facts) =>
  save({
    tag: 'closeTicket',
    released: false,
    report: going(ticketState(facts), 'Settling', 'The prepared operation was not started.'),
  });

/** Finds the node's id of a device that the fabric attached without knowing it. */
export const identifyDevice: Act = steps(
  [
    stage('identify', (outcome, facts, words) => {
      switch (outcome.tag) {
        case 'identified':
          return save({
            tag: 'closeTicket',
            device: outcome.device,
            released: false,
            report: afterAttach(outcome.device, facts, words),
          });
        case 'notYet':
          return watchFor(failing('Attaching', 'NotIdentified', outcome.message));
        case 'failed':
          return retry('Attaching', outcome.failure);
      }
    }),
  ],
  finish,
);

/** Closes the ticket of a device that nobody needs to identify any more: it is going back. */
export const closeUnidentified: Act = () =>
  save({
    tag: 'closeTicket',
    released: false,
    report: going('Detaching', 'Detaching', 'Attached and not needed any more: it is given back.'),
  });

/** Adopts the one device that a call lost by another operator may have brought; else goes on as if there had been none. */
export const adoptOrAttach: Act = steps(
  [
    stage('findUnowned', (outcome, facts, words) => {
      switch (outcome.tag) {
        case 'one':
          return save({
            tag: 'recordDevice',
            device: outcome.device,
            report: afterAttach(outcome.device, facts, words),
          });
        case 'noneOrMany':
          return save({
            tag: 'report',
            report: going('Attaching', 'Attaching', 'No device of an earlier call was found: attaching one.'),
          });
        case 'failed':
          return retry('Attaching', outcome.failure);
      }
    }),
  ],
  finish,
);
