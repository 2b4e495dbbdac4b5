import type { RequestState } from '@cro/crd-types';
import { row, type Row } from '../table.ts';
import type { RequestDecision, RequestOutcome, RequestReason, RequestReport, RequestRequest } from './decision.ts';
import type { RequestFacts, RequestWords } from './facts.ts';

/*
 * The life of a request. For each state, the first row that fits decides. A request never waits for one child before it
 * helps the others: it creates and deletes all that the plan says in one go, and only looks whether all are Online.
 */

/** What a row of the table does: decide, given how the last request ended (if that was one of this row's). */
export type RequestAct = (facts: RequestFacts, words: RequestWords, outcome?: RequestOutcome) => RequestDecision;
type Rows = readonly Row<RequestFacts, RequestAct>[];

const LOOK_AGAIN = { tag: 'after', ms: 30_000 } as const;

const report = (state: RequestState, reason: RequestReason, message: string): RequestReport => ({
  state,
  reason,
  message,
  error: false,
});
const failure = (state: RequestState, reason: RequestReason, message: string): RequestReport => ({
  state,
  reason,
  message,
  error: true,
});
const move =
  (to: RequestReport): RequestAct =>
  () => ({ tag: 'save', change: { tag: 'report', report: to } });
const wait =
  (what: RequestReport): RequestAct =>
  () => ({ tag: 'wait', report: what, again: { tag: 'event' } });
const write =
  (tag: 'addFinalizer' | 'removeFinalizer'): RequestAct =>
  () => ({ tag: 'save', change: { tag } });
const nothing: RequestAct = () => ({ tag: 'nothing' });

/** Choose nodes and names. What cannot be placed now is tried again when nodes, fabric or other requests change. */
const plan: RequestAct = (facts, _words, outcome) => {
  if (outcome?.request !== 'plan') return { tag: 'request', request: 'plan' };
  switch (outcome.tag) {
    case 'planned': {
      const planned = report('Updating', 'Planned', 'Nodes are chosen; the devices are being attached.');
      return { tag: 'save', change: { tag: 'recordPlan', plan: outcome.plan, placed: true, report: planned } };
    }
    case 'unplaceable': {
      const unplaced = failure('NodeAllocating', outcome.reason, outcome.message);
      const change = { tag: 'recordPlan', plan: outcome.plan, placed: false, report: unplaced } as const;
      return facts.plan === 'current'
        ? { tag: 'wait', report: unplaced, again: LOOK_AGAIN }
        : { tag: 'save', change, pause: LOOK_AGAIN };
    }
  }
};

/** Ask for one request; when it is done, look at what it changed. */
function ask(request: Exclude<RequestRequest, 'plan'>, state: RequestState): RequestAct {
  return (_facts, _words, outcome) => {
    if (outcome?.request === request && outcome.tag === 'failed') {
      const { kind, message } = outcome.failure;
      return { tag: 'wait', report: failure(state, kind, message), again: { tag: 'backoff' } };
    }
    return { tag: 'request', request };
  };
}

const run: RequestAct = move(report('Running', 'Running', 'All devices are online.'));

/** Waits for the children, and tells of the first that is failing. */
const watchChildren =
  (state: 'Updating' | 'Running'): RequestAct =>
  (_facts, words) => ({ tag: 'wait', report: childrenReport(state, words), again: { tag: 'event' } });

function childrenReport(state: 'Updating' | 'Running', words: RequestWords): RequestReport {
  if (words.childError !== '') return failure(state, 'DeviceFailing', words.childError);
  if (words.online === words.planned) return report(state, 'Running', 'All devices are online.');
  return report(state, 'WaitingForDevices', `${words.online} of ${words.planned} devices are online.`);
}

const targetGone: RequestAct = ask('deleteSelf', 'Deleting');
const paused = (state: RequestState) =>
  wait(report(state, 'Paused', 'Paused by annotation cohdi.io/paused: nothing new is started.'));
const targetUnread = (state: RequestState) =>
  wait(report(state, 'WaitingForNode', 'Reading whether the target node exists.'));
const clean = move(report('Cleaning', 'Cleaning', 'The devices are being given back.'));

/** Before there is a plan, or while one cannot be completed. */
const allocating = (state: RequestState): Rows => [
  row('paused', { hold: 'paused' }, paused(state)),
  row('deleted, with children', { goal: 'gone', children: ['leaving', 'some'] }, clean),
  row('deleted, no children', { goal: 'gone', finalizer: true }, write('removeFinalizer')),
  row('over', { goal: 'gone' }, nothing),
  row('finalizer missing', { finalizer: false }, write('addFinalizer')),
  row('target node gone', { target: 'gone' }, targetGone),
  row('target node not read yet', { target: 'unknown' }, targetUnread(state)),
  row('children beyond the plan', { plan: 'current', extra: 'some' }, ask('deleteExtraChildren', state)),
  row('choose nodes', {}, plan),
];

/** While there is a plan. */
const planned = (state: 'Updating' | 'Running'): Rows => [
  row('paused', { hold: 'paused' }, paused(state)),
  row('deleted', { goal: 'gone' }, clean),
  row('finalizer removed by hand', { finalizer: false }, write('addFinalizer')),
  row('target node gone', { target: 'gone' }, targetGone),
  row('spec changed', { plan: ['none', 'outdated'] }, plan),
  row('a device was lost', { lost: 'some' }, plan),
];

/** For each state its rows, read from the top. */
export const requestLife: Readonly<Record<RequestState, Rows>> = {
  '': allocating(''),
  NodeAllocating: allocating('NodeAllocating'),
  Updating: [
    ...planned('Updating'),
    row('children beyond the plan', { extra: 'some' }, ask('deleteExtraChildren', 'Updating')),
    row('children to create', { missing: 'some' }, ask('createChildren', 'Updating')),
    row('all online', { online: 'all' }, run),
    row('devices on their way', {}, watchChildren('Updating')),
  ],
  Running: [
    ...planned('Running'),
    row('children beyond the plan', { extra: 'some' }, ask('deleteExtraChildren', 'Running')),
    row('children to create', { missing: 'some' }, ask('createChildren', 'Running')),
    row('stays', {}, watchChildren('Running')),
  ],
  Cleaning: [
    row('paused', { hold: 'paused' }, paused('Cleaning')),
    row('not deleted after all', { goal: 'present' }, plan),
    row('children to delete', { children: 'some' }, ask('deleteAllChildren', 'Cleaning')),
    row(
      'children leaving',
      { children: 'leaving' },
      wait(report('Cleaning', 'Cleaning', 'The devices are being given back.')),
    ),
    row('no children left', {}, move(report('Deleting', 'Deleting', 'All devices went back.'))),
  ],
  Deleting: [
    row('not deleted after all', { goal: 'present' }, plan),
    row('a child turned up', { children: ['leaving', 'some'] }, clean),
    row('over', { finalizer: true }, write('removeFinalizer')),
    row('over', {}, nothing),
  ],
};
