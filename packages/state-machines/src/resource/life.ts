import type { ResourceState } from '@cro/crd-types';
import { row, type Row } from '../table.ts';
import { failing, going, stateOf, waitFor, watchFor, type Act } from './acts.ts';
import type { ResourceFacts } from './facts.ts';
import * as fabric from './fabric-acts.ts';
import * as node from './node-acts.ts';

/*
 * The life of a device. For each state, the first row that fits decides; deletion, pause, detached and the loss of the
 * node are rows like any other. Before the rows of the state come those of a running operation and of an open ticket:
 * they are the same in every state, and nothing may overtake them.
 */

type Rows = readonly Row<ResourceFacts, Act>[];

/** While this process is doing something for the object. Before there is a ticket, it can be given up without a trace. */
const running: Rows = [
  row(
    'deleted before there was a ticket',
    { running: ['queued', 'beforeTicket'], goal: 'gone', state: ['', 'Attaching'] },
    node.abortRunning,
  ),
  row(
    'held before there was a ticket',
    { running: ['queued', 'beforeTicket'], hold: ['paused', 'detached'] },
    node.abortRunning,
  ),
  row('others are served first', { running: 'queued' }, queued),
  row('an operation runs', { running: ['beforeTicket', 'withTicket'] }, node.awaitRunning),
];

/** An open ticket forbids everything else: the finalizer stays until its outcome is recorded. */
const ticket: Rows = [
  row('attach prepared, no longer wanted', { ticket: 'attach', started: 'no', goal: 'gone' }, fabric.dropTicket),
  row('attach prepared, held', { ticket: 'attach', started: 'no', hold: ['paused', 'detached'] }, fabric.dropTicket),
  row('attach prepared, node gone', { ticket: 'attach', started: 'no', node: 'gone' }, fabric.dropTicket),
  row('detach prepared, held', { ticket: 'detach', started: 'no', hold: ['paused', 'detached'] }, fabric.dropTicket),
  row('prepared', { ticket: ['attach', 'detach'], started: 'no' }, fabric.startTicket),
  row('started, outcome unknown', { ticket: ['attach', 'detach'], started: 'maybe' }, fabric.resumeTicket),
  row('attached, going back', { ticket: 'attached', goal: 'gone' }, fabric.closeUnidentified),
  row('attached, node gone', { ticket: 'attached', node: 'gone' }, fabric.closeUnidentified),
  row('attached, to be identified', { ticket: 'attached' }, fabric.identifyDevice),
];

function queued(facts: ResourceFacts) {
  const message = `The fabric is at work for another device on the same machine; this one is next in turn.`;
  return waitFor(going(stateOf(facts), 'WaitingForLane', message));
}

const nodeGone = node.deleteSelf((_facts, words) =>
  failing('Attaching', 'NodeGone', `target node ${words.node} not found`),
);
const givenBack = node.deleteSelf(() => going('Online', 'Detaching', 'Nobody owns the device: it is given back.'));
const waitForNode =
  (state: ResourceState): Act =>
  (_facts, words) =>
    waitFor(going(state, 'WaitingForNode', `Reading what the cluster says of node ${words.node}.`));
const nodeNotReady =
  (state: ResourceState): Act =>
  (_facts, words) =>
    waitFor(failing(state, 'NodeNotReady', `node ${words.node} is not ready`));
const paused =
  (state: ResourceState): Act =>
  () =>
    waitFor(going(state, 'Paused', 'Paused by annotation cohdi.io/paused: nothing new is started.'));
const detached =
  (state: ResourceState): Act =>
  () =>
    waitFor(going(state, 'Detached', 'Detached by annotation cohdi.io/detached: the hardware is not touched.'));

/** Nothing is on the fabric for this object yet, or only a lost call of another operator. */
const attach: Rows = [
  row('deleted, perhaps with a lost call', { goal: 'gone', device: 'none', origin: 'inDoubt' }, (facts) =>
    settling(facts.state),
  ),
  row('deleted after a lost call', { goal: 'gone', device: 'none', origin: 'settled' }, fabric.adoptOrAttach),
  row('deleted before anything was attached', { goal: 'gone', device: 'none' }, node.removeFinalizer),
  row('detached', { hold: 'detached' }, detached('Attaching')),
  row('paused', { device: 'none', hold: 'paused' }, paused('Attaching')),
  row('node gone before anything was attached', { device: 'none', node: 'gone' }, nodeGone),
  row('perhaps a lost call', { device: 'none', origin: 'inDoubt' }, (facts) => settling(facts.state)),
  row('after a lost call', { device: 'none', origin: 'settled' }, fabric.adoptOrAttach),
  row('node not read yet', { device: 'none', node: 'unknown' }, waitForNode('Attaching')),
  row('node not ready', { device: 'none', node: 'notReady' }, nodeNotReady('Attaching')),
  row('attach', { device: 'none' }, fabric.prepareAttachAfter(node.ensureDriver)),
];

function settling(state: ResourceState) {
  const message =
    'Left by another operator in the middle of an attach: waiting whether a device of an earlier call turns up.';
  return waitFor(going(state, 'Settling', message));
}

/** For each state its rows, read from the top. */
export const life: Readonly<Record<ResourceState, Rows>> = {
  '': [
    ...running,
    ...ticket,
    row('deleted before it was seen', { goal: 'gone', finalizer: true, hold: 'detached' }, node.spareAndRelease),
    row('deleted before it was seen', { goal: 'gone', finalizer: false }, node.nothing),
    row('first sight', { finalizer: false, goal: 'present' }, addFinalizer),
    row('a device to give back', { giveBack: true, device: 'none' }, takeIds),
    ...attach,
    row('a device already', {}, node.makeVisible),
  ],
  Attaching: [
    ...running,
    ...ticket,
    row('finalizer removed by hand', { goal: 'present', finalizer: false }, addFinalizer),
    row('deleted and detached', { goal: 'gone', hold: 'detached' }, node.spareAndRelease),
    ...attach,
    row('deleted', { goal: 'gone' }, node.beginDetaching),
    row('node gone', { node: 'gone', hold: 'none' }, nodeGone),
    row('to be given back', { giveBack: true, hold: 'none' }, givenBack),
    row('on the fabric, not identified', { device: 'unidentified' }, unidentified),
    row('visible', { visible: 'visible' }, node.goOnline),
    row('paused', { hold: 'paused' }, paused('Attaching')),
    row('not visible yet', {}, node.makeVisible),
  ],
  Online: [
    ...running,
    ...ticket,
    row('finalizer removed by hand', { goal: 'present', finalizer: false }, addFinalizer),
    row('deleted and detached', { goal: 'gone', hold: 'detached' }, node.spareAndRelease),
    row('detached', { hold: 'detached' }, detached('Online')),
    row('deleted and paused', { goal: 'gone', hold: 'paused' }, paused('Online')),
    row('deleted', { goal: 'gone' }, node.beginDetaching),
    row('place not recorded', { location: 'missing', node: ['ready', 'notReady'] }, node.recordLocation),
    row('node gone', { node: 'gone', hold: 'none' }, nodeGone),
    row('to be given back', { giveBack: true, hold: 'none' }, givenBack),
    row('stays', {}, node.stayOnline),
  ],
  Detaching: [
    ...running,
    ...ticket,
    row('detached', { goal: 'gone', hold: 'detached' }, node.spareAndRelease),
    row('detached', { hold: 'detached' }, detached('Detaching')),
    row('paused', { hold: 'paused' }, paused('Detaching')),
    row('nothing to detach', { device: 'none' }, node.forgetDevice),
    row('released, node gone', { device: 'released', node: 'gone' }, node.forgetDevice),
    row('released, gone from the node', { device: 'released', visible: 'absent' }, node.forgetDevice),
    row('released, not read yet', { device: 'released', visible: 'unknown' }, waitForNode('Detaching')),
    row('released, still visible', { device: 'released' }, node.makeInvisible),
    row('node gone', { node: 'gone' }, fabric.prepareDetachAfter()),
    row('node not read yet', { node: 'unknown' }, waitForNode('Detaching')),
    row('node not ready', { node: 'notReady' }, nodeNotReady('Detaching')),
    row('detach, not identified', { device: 'unidentified' }, fabric.prepareDetachAfter()),
    row('detach by force', { force: true }, fabric.prepareDetachAfter(node.fence, node.drain)),
    row('detach', {}, fabric.prepareDetachAfter(node.findLoad, node.fence, node.drain)),
  ],
  Deleting: [
    ...running,
    ...ticket,
    row('over', { goal: 'gone', finalizer: true }, node.removeFinalizer),
    row('over', { goal: 'gone', finalizer: false }, node.nothing),
    row(
      'over, not deleted yet',
      {},
      node.deleteSelf(() => going('Deleting', 'Deleting', 'The device is gone.')),
    ),
  ],
};

function addFinalizer() {
  return { tag: 'save', change: { tag: 'addFinalizer' } } as const;
}

function takeIds() {
  const report = going('Attaching', 'Attaching', 'Taking over a device that nobody owns, to give it back.');
  return { tag: 'save', change: { tag: 'takeIdsFromLabels', report } } as const;
}

function unidentified() {
  return watchFor(
    failing('Attaching', 'NotIdentified', 'The device is attached, and its id on the node is not known.'),
  );
}
