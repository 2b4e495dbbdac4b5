import {
  failing,
  going,
  plainStage,
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
import { more, notVisibleText, onlineText } from './fabric-acts.ts';

/** Makes sure that the node has a driver. */
export const ensureDriver = plainStage('ensureDriver');

function usersStage(name: 'findLoad' | 'findAllocation'): Stage {
  return stage(name, (outcome) => {
    switch (outcome.tag) {
      case 'idle':
        return 'next';
      case 'inUse':
        return {
          tag: 'wait',
          report: failing(
            'Detaching',
            'InUse',
            `The device is in use by ${outcome.by}. End that, or set spec.force_detach.`,
          ),
          again: { tag: 'backoff' },
        };
      case 'failed':
        return retry('Detaching', outcome.failure);
    }
  });
}

/** Asks whether something uses the device: then it stays. */
export const findLoad = usersStage('findLoad');

/** Asks again what the cluster knows of that once nobody new can get it: who got it while the node was being asked is found now. */
export const findAllocation = usersStage('findAllocation');

/** How often a device that may not leave without a fence looks whether there can be one by now, beside the event of that. */
const FENCE_AGAIN_MS = 60_000;

/** Keeps new pods from the device. Where the cluster cannot, that is told, and the device stays or goes as is configured. */
export const fence = stage('fence', (outcome) => {
  switch (outcome.tag) {
    case 'done':
      return { tag: 'next', note: { tag: 'noteFence' } };
    case 'unavailable': {
      const { reason, message } = outcome;
      if (outcome.goOn) return { tag: 'next', note: { tag: 'noteFence', missing: { reason, message } } };
      const report = failing('Detaching', reason, message);
      return { tag: 'wait', report, again: { tag: 'after', ms: FENCE_AGAIN_MS } };
    }
    case 'failed':
      return retry('Detaching', outcome.failure);
  }
});

/** Makes the node let go of the device. */
export const drain = plainStage('drain');

/** Lets new pods have the device again. */
export const unfence = plainStage('unfence');

/** Makes the node notice its new device, then waits until the cluster sees it. */
export const makeVisible: Act = steps([plainStage('refreshNode')], (_facts, words) =>
  watchFor(going('Attaching', 'NotVisible', notVisibleText(words))),
);

/** Makes the node notice that the device went, then waits until the cluster no longer sees it. */
export const makeInvisible: Act = steps([plainStage('refreshNode')], (_facts, words) =>
  watchFor(
    going(
      'Detaching',
      'StillVisible',
      `The fabric took the device back; waiting until node ${words.node} no longer shows it.`,
    ),
  ),
);

/** The device is gone everywhere: lift the fence, forget the ids. */
export const forgetDevice: Act = steps([unfence], () =>
  save({ tag: 'clearDevice', report: going('Deleting', 'Deleting', 'The device went back to the pool.') }),
);

/** The same for an object that vanishes with its finalizer: it needs not be told. */
export const letGo: Act = steps([unfence], () => save({ tag: 'removeFinalizer' }));

/** The device works. */
export const goOnline: Act = (_facts, words) =>
  save({ tag: 'report', report: going('Online', 'Online', onlineText(words)) });

/** The life of a device that works: nothing to do but to tell what the fabric and the node say of it. */
export const stayOnline: Act = (facts, words) => {
  if (facts.health === 'faulty') return waitOnline(failing('Online', 'Unhealthy', words.health));
  if (facts.visible === 'absent')
    return waitOnline(
      going('Online', 'NotVisible', `Node ${words.node} does not show the device at present${more(words)}.`),
    );
  return waitOnline(going('Online', 'Online', onlineText(words)));
};

function waitOnline(report: ResourceReport): ResourceDecision {
  return { tag: 'wait', report, again: { tag: 'event' } };
}

/** Finds the fabric's machine of the node for an object that does not say it. */
export const recordLocation: Act = steps(
  [stage('locate', (outcome, facts) => (outcome.tag === 'located' ? 'next' : retry(stateOf(facts), outcome.failure)))],
  () => save({ tag: 'recordLocation' }),
);

/** Deletes the object itself. Why goes into its status first: deleted, it is on another row. */
export function deleteSelf(why: (facts: ResourceFacts, words: ResourceWords) => ResourceReport): Act {
  const act = steps([plainStage('deleteSelf')], (facts, words) => watchFor(why(facts, words)));
  return (facts, words, outcome) => {
    const decision = act(facts, words, outcome);
    return decision.tag === 'request'
      ? { ...decision, change: { tag: 'report', report: why(facts, words) } }
      : decision;
  };
}

/** Lets the object go once the syncer knows that it must leave the device alone. */
export function spareAndRelease(...before: Stage[]): Act {
  return steps([...before, plainStage('spareDevice')], () => save({ tag: 'removeFinalizer' }));
}

/** Puts the finalizer on. */
export const addFinalizer: Act = () => save({ tag: 'addFinalizer' });

/** Takes over the device that the object's labels name. */
export const takeIds: Act = () =>
  save({
    tag: 'takeIdsFromLabels',
    report: going('Attaching', 'Attaching', 'Taking over a device that nobody owns, to give it back.'),
  });

/** Moves on to Detaching. */
export const beginDetaching: Act = (_facts, words) =>
  save({ tag: 'report', report: going('Detaching', 'Detaching', `The device is leaving node ${words.node}.`) });

/** Lets the object go. */
export const removeFinalizer: Act = () => save({ tag: 'removeFinalizer' });

/** The interpreter's running operation goes on. */
export const awaitRunning: Act = () => ({ tag: 'await' });

/** The interpreter's running operation is given up. */
export const abortRunning: Act = () => ({ tag: 'abort' });

/** Nothing is left to do. */
export const nothing: Act = () => ({ tag: 'nothing' });
