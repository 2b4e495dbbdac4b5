import { row, type Row } from '../table.ts';
import { failing, going, stateOf, waitFor, watchFor, type Act } from './acts.ts';
import type { ResourceFacts } from './facts.ts';
import * as fabric from './fabric-acts.ts';
import * as node from './node-acts.ts';

/** The rows of a state, read from the top. */
export type Rows = readonly Row<ResourceFacts, Act>[];

/** The fabric has, or may have, a device for the object. */
export const HAS_DEVICE = ['unidentified', 'identified', 'released'] as const;
const NOT_RUNNING_WITH_TICKET = ['queued', 'beforeTicket'] as const;

/** The device is attached, and what runs is for its becoming visible: waiting for a driver may take many seconds. */
const LOOKED_FOR = { running: 'beforeTicket', state: 'Attaching', device: 'identified', ticket: 'none' } as const;

/**
 * While this process is doing something for the object. What has no ticket yet can be given up without a trace: that is
 * done where the state's rows would not ask for it again, so that nobody waits for what is not wanted any more.
 */
const running: Rows = [
  row(
    'deleted before there was a ticket',
    {
      running: NOT_RUNNING_WITH_TICKET,
      state: ['', 'Attaching'],
      goal: 'gone',
      device: 'none',
      ticket: 'none',
      origin: 'ours',
    },
    node.abortRunning,
  ),
  row(
    'held before there was a ticket',
    {
      running: NOT_RUNNING_WITH_TICKET,
      state: ['', 'Attaching'],
      goal: 'present',
      device: 'none',
      ticket: 'none',
      hold: ['paused', 'detached'],
    },
    node.abortRunning,
  ),
  row(
    'paused before there was a ticket',
    { running: NOT_RUNNING_WITH_TICKET, state: 'Detaching', ticket: 'none', hold: 'paused' },
    node.abortRunning,
  ),
  row(
    'detached before there was a ticket',
    { running: NOT_RUNNING_WITH_TICKET, state: 'Detaching', ticket: 'none', hold: 'detached', goal: 'present' },
    node.abortRunning,
  ),
  row(
    'deleted while the node looks for the device',
    { ...LOOKED_FOR, goal: 'gone', hold: ['none', 'paused'] },
    node.abortRunning,
  ),
  row(
    'held while the node looks for the device',
    { ...LOOKED_FOR, goal: 'present', hold: ['paused', 'detached'], location: 'known' },
    node.abortRunning,
  ),
  row('others are served first', { running: 'queued' }, queued),
  row('an operation runs', { running: ['beforeTicket', 'withTicket'] }, node.awaitRunning),
];

function queued(facts: ResourceFacts) {
  const message = 'The fabric is at work for another device, and this one waits for its turn.';
  return waitFor(going(stateOf(facts), 'WaitingForLane', message));
}

/** Nothing is asked of the fabric for an object that could vanish meanwhile. */
const finalizerFirst: Rows = [row('finalizer missing', { goal: 'present', finalizer: false }, node.addFinalizer)];

/** An open ticket forbids everything else: the finalizer stays until its outcome is recorded. */
const ticket: Rows = [
  row('attach prepared, no longer wanted', { ticket: 'attach', started: 'no', goal: 'gone' }, fabric.dropTicket),
  row('attach prepared, held', { ticket: 'attach', started: 'no', hold: ['paused', 'detached'] }, fabric.dropTicket),
  row('attach prepared, node gone', { ticket: 'attach', started: 'no', node: 'gone' }, fabric.dropTicket),
  row('detach prepared, held', { ticket: 'detach', started: 'no', hold: ['paused', 'detached'] }, fabric.dropTicket),
  row('prepared, let go', { ticket: 'detach', started: 'no', goal: 'gone', finalizer: false }, fabric.dropTicket),
  row('prepared', { ticket: ['attach', 'detach'], started: 'no' }, fabric.startTicket),
  row('started, outcome unknown', { ticket: ['attach', 'detach'], started: 'maybe' }, fabric.resumeTicket),
  row('attached, going back', { ticket: 'attached', goal: 'gone' }, fabric.closeUnidentified),
  row('attached, node gone', { ticket: 'attached', node: 'gone' }, fabric.closeUnidentified),
  row('attached, to be identified', { ticket: 'attached' }, fabric.identifyDevice),
];

/** Without our finalizer a deleted object is not ours any more, whoever took it off and whoever else holds the object. */
const letGo: Rows = [row('over', { goal: 'gone', finalizer: false }, node.nothing)];

/** What every state but the last begins with. */
export const common: Rows = [...running, ...finalizerFirst, ...ticket, ...letGo];

/** What the last state begins with: nothing that is not deleted yet needs to be held there. */
export const commonAtTheEnd: Rows = [...running, ...ticket, ...letGo];

/** Nobody can say on which machine the device is: only a person can, or the node when it comes back. */
export const placeUnknown: Act = (facts, words) =>
  watchFor(
    failing(
      stateOf(facts),
      'Blocked',
      `Node ${words.node} is gone and nothing says which machine of the fabric it was. Bring the node back; or take the device back by hand and annotate this object with cohdi.io/detached=true.`,
    ),
  );
