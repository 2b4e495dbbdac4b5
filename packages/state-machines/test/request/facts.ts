import type { RequestFacts, RequestWords } from '../../src/index.ts';

/** A request that runs as it should. */
export const anyRequestFacts: RequestFacts = {
  state: 'Running',
  goal: 'present',
  finalizer: true,
  hold: 'none',
  target: 'unset',
  plan: 'current',
  missing: 'none',
  lost: 'none',
  extra: 'none',
  online: 'all',
  children: 'some',
};

/** Words of a request that runs as it should. */
export const anyRequestWords: RequestWords = { targetNode: 'worker-0', online: 2, planned: 2, childError: '' };
