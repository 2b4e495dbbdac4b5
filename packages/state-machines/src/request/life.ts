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
const wait = (what: RequestReport): RequestDecision => ({ tag: 'wait', report: what, again: { tag: 'event' } });
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
      // What is recorded already is not recorded again; a lost device has to leave the record.
      return facts.plan === 'current' && facts.lost === 'none'
        ? { tag: 'wait', report: unplaced, again: LOOK_AGAIN }
        : { tag: 'save', change, pause: LOOK_AGAIN };
    }
  }
};

type Why = (facts: RequestFacts, words: RequestWords) => RequestReport;

/**
 * Ask for one request. What it changed puts the request on another row; where it does not, that is waited for, and looked at
 * again after half a minute.
 */
function ask(request: Exclude<RequestRequest, 'plan'>, why: Why): RequestAct {
  return (facts, words, outcome) => {
    if (outcome?.request !== request) return { tag: 'request', request };
    if (outcome.tag === 'done') return { tag: 'wait', report: why(facts, words), again: LOOK_AGAIN };
    const { kind, message, retryAfterMs } = outcome.failure;
    const again = { tag: 'backoff', ...(retryAfterMs !== undefined && { atLeastMs: retryAfterMs }) } as const;
    return { tag: 'wait', report: failure(facts.state, kind, message), again };
  };
}

/** The request deletes itself. Why goes into its status first: deleted, it is on another row. */
const targetGone: RequestAct = (facts, words, outcome) => {
  const why: Why = ({ state }) =>
    failure(state, 'TargetNodeGone', `target node ${words.targetNode} not found: the request deletes itself`);
  const decision = ask('deleteSelf', why)(facts, words, outcome);
  return decision.tag === 'request' ? { ...decision, report: why(facts, words) } : decision;
};

const run: RequestAct = move(report('Running', 'Running', 'All devices are online.'));

/** Waits for the children, and tells of the first that is failing. */
const watchChildren: RequestAct = (facts, words) => wait(childrenReport(facts, words));

function childrenReport({ state }: RequestFacts, words: RequestWords): RequestReport {
  if (words.childError !== '') return failure(state, 'DeviceFailing', words.childError);
  if (words.online === words.planned) return report(state, 'Running', 'All devices are online.');
  return report(state, 'WaitingForDevices', `${words.online} of ${words.planned} devices are online.`);
}

const paused: RequestAct = ({ state }, words) =>
  wait(report(state, 'Paused', `Paused by ${words.pausedBy}: nothing new is started.`));
const targetUnread: RequestAct = ({ state }) =>
  wait(report(state, 'WaitingForNode', 'Reading whether the target node exists.'));
const clean = move(report('Cleaning', 'Cleaning', 'The devices are being given back.'));
const leaving: Why = ({ state }) => report(state, 'Cleaning', 'The devices are being given back.');

/** Before there is a plan, or while one cannot be completed. */
const allocating: Rows = [
  row('paused', { hold: 'paused' }, paused),
  row('deleted, with children', { goal: 'gone', children: ['leaving', 'some'] }, clean),
  row('deleted, no children', { goal: 'gone', finalizer: true }, write('removeFinalizer')),
  row('over', { goal: 'gone' }, nothing),
  row('finalizer missing', { finalizer: false }, write('addFinalizer')),
  row('target node gone', { target: 'gone' }, targetGone),
  row('target node not read yet', { target: 'unknown' }, targetUnread),
  row('children beyond the plan', { plan: 'current', extra: 'some' }, ask('deleteExtraChildren', leaving)),
  row('choose nodes', {}, plan),
];

/** While there is a plan. */
const planned: Rows = [
  row('paused', { hold: 'paused' }, paused),
  row('deleted', { goal: 'gone' }, clean),
  row('finalizer removed by hand', { finalizer: false }, write('addFinalizer')),
  row('target node gone', { target: 'gone' }, targetGone),
  row('spec changed', { plan: ['none', 'outdated'] }, plan),
  row('a device was lost', { lost: 'some' }, plan),
  row('children beyond the plan', { extra: 'some' }, ask('deleteExtraChildren', childrenReport)),
  row('children to create', { missing: 'some' }, ask('createChildren', childrenReport)),
  row('children without their owner link', { unowned: 'some' }, ask('ownChildren', childrenReport)),
];

/** For each state its rows, read from the top. */
export const requestLife: Readonly<Record<RequestState, Rows>> = {
  '': allocating,
  NodeAllocating: allocating,
  Updating: [...planned, row('all online', { online: 'all' }, run), row('devices on their way', {}, watchChildren)],
  Running: [...planned, row('stays', {}, watchChildren)],
  Cleaning: [
    row('paused', { hold: 'paused' }, paused),
    row('not deleted after all', { goal: 'present' }, plan),
    row('children to delete', { children: 'some' }, ask('deleteAllChildren', leaving)),
    row('children leaving', { children: 'leaving' }, (facts, words) => wait(leaving(facts, words))),
    // What status would say of an object that vanishes with the next write nobody reads.
    row('no children left, over', { finalizer: true, shared: false }, write('removeFinalizer')),
    row('no children left', {}, move(report('Deleting', 'Deleting', 'All devices went back.'))),
  ],
  Deleting: [
    row('not deleted after all', { goal: 'present' }, plan),
    row('a child turned up', { children: ['leaving', 'some'] }, clean),
    row('to be released', { finalizer: true }, write('removeFinalizer')),
    row('over', {}, nothing),
  ],
};
