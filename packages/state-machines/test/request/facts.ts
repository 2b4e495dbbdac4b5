import { runningRequest } from '../../src/catalogue.ts';
import type { RequestWords } from '../../src/index.ts';

/** A request that runs as it should. */
export const anyRequestFacts = runningRequest;

/** Words of a request that runs as it should. */
export const anyRequestWords: RequestWords = {
  targetNode: 'worker-0',
  pausedBy: 'annotation cohdi.io/paused',
  online: 2,
  planned: 2,
  childError: '',
};
