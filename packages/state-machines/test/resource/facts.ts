import { newResource } from '../../src/catalogue.ts';
import type { ResourceWords } from '../../src/index.ts';

/** A device that nothing is known of yet, on a ready node. */
export const anyFacts = newResource;

/** Words as an object gives them. */
export const anyWords: ResourceWords = {
  name: 'gpu-1',
  node: 'worker-0',
  model: 'A100',
  deviceId: 'GPU-a',
  pausedBy: 'annotation cohdi.io/paused',
  missing: '',
  health: "the target gpu 'GPU-a' is showing a Warning status in FM",
};
