import type { Domain } from '../combinations.ts';
import type { RequestOutcome, RequestRequest } from './decision.ts';
import type { RequestFacts } from './facts.ts';

const SOME = ['none', 'some'] as const;

/** Every value of every fact of the request machine. */
export const requestDomain: Domain<RequestFacts> = {
  state: ['', 'NodeAllocating', 'Updating', 'Running', 'Cleaning', 'Deleting'],
  goal: ['present', 'gone'],
  finalizer: [false, true],
  shared: [false, true],
  hold: ['none', 'paused', 'detached'],
  target: ['unset', 'present', 'gone', 'unknown'],
  plan: ['none', 'current', 'outdated'],
  missing: SOME,
  lost: SOME,
  extra: SOME,
  unowned: SOME,
  online: ['all', 'notAll'],
  children: ['none', 'leaving', 'some'],
};

const PLAIN: readonly Exclude<RequestRequest, 'plan'>[] = [
  'createChildren',
  'deleteExtraChildren',
  'deleteAllChildren',
  'ownChildren',
  'deleteSelf',
];

/** One outcome of each kind that a request of the request machine can have. */
export const requestOutcomes: readonly RequestOutcome[] = [
  { request: 'plan', tag: 'planned', plan: { 'gpu-1': 'worker-0' } },
  {
    request: 'plan',
    tag: 'unplaceable',
    reason: 'InsufficientNodes',
    message: 'insufficient number of available nodes',
    plan: {},
  },
  ...PLAIN.flatMap((request): RequestOutcome[] => [
    { request, tag: 'done' },
    { request, tag: 'failed', failure: { kind: 'Unreachable', message: 'no answer' } },
  ]),
];

/** A request that runs as it should. */
export const runningRequest: RequestFacts = {
  state: 'Running',
  goal: 'present',
  finalizer: true,
  shared: false,
  hold: 'none',
  target: 'unset',
  plan: 'current',
  missing: 'none',
  lost: 'none',
  extra: 'none',
  unowned: 'none',
  online: 'all',
  children: 'some',
};
