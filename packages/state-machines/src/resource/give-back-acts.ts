import { failing, retry, save, stage, type Act, type Stage } from './acts.ts';
import { prepareDetachAfter } from './fabric-acts.ts';

/**
 * The ids of an object that gives a device back come from its labels, which anybody may have written: before the node is
 * touched, the fabric says whether the device is one of its own. A GPU that is fixed in the node is not.
 */
const confirmOnFabric = stage('confirmOnFabric', (outcome, _facts, words) => {
  switch (outcome.tag) {
    case 'attached':
      return 'next';
    case 'notAttached':
      // A fence of an earlier try, for a device that the fabric had then, has this object as its owner and goes with it.
      return save({
        tag: 'clearDevice',
        report: failing(
          'Deleting',
          'Rejected',
          `The fabric has no device of these ids without an owner on the machine of node ${words.node}: nothing is given back, and the node was left alone.`,
        ),
      });
    case 'failed':
      return retry('Detaching', outcome.failure);
  }
});

/** Detach for nobody: as any detach, once the fabric has confirmed that the device is one of its own. */
export function giveBackAfter(...before: Stage[]): Act {
  return prepareDetachAfter(confirmOnFabric, ...before);
}
