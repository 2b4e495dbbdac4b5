import type { ResourceState } from '@cro/crd-types';
import { row } from '../table.ts';
import { failing, going, stateOf, waitFor, watchFor, type Act } from './acts.ts';
import { common, commonAtTheEnd, HAS_DEVICE, placeUnknown, type Rows } from './common-rows.ts';
import type { ResourceFacts } from './facts.ts';
import * as fabric from './fabric-acts.ts';
import { giveBackAfter } from './give-back-acts.ts';
import * as node from './node-acts.ts';

/*
 * The life of a device. For each state, the first row that fits decides; deletion, pause, detached and the loss of the
 * node are rows like any other. Before the rows of the state come those of a running operation and of an open ticket:
 * they are the same in every state, and nothing may overtake them.
 */

const nodeGone = node.deleteSelf((facts, words) =>
  failing(stateOf(facts), 'NodeGone', `target node ${words.node} not found`),
);
const givenBack = node.deleteSelf((facts) =>
  going(stateOf(facts), 'Detaching', 'Nobody owns the device: it is given back.'),
);
const nothingToGiveBack = node.deleteSelf((facts) =>
  failing(stateOf(facts), 'Rejected', 'The labels name no device that could be given back.'),
);
const waitForNode: Act = (facts, words) =>
  waitFor(going(stateOf(facts), 'WaitingForNode', `Reading what the cluster says of node ${words.node}.`));
const nodeNotReady: Act = (facts, words) =>
  waitFor(failing(stateOf(facts), 'NodeNotReady', `node ${words.node} is not ready`));
const paused: Act = (facts, words) =>
  waitFor(going(stateOf(facts), 'Paused', `Paused by ${words.pausedBy}: nothing new is started.`));
const detached: Act = (facts) =>
  waitFor(going(stateOf(facts), 'Detached', 'Detached by annotation cohdi.io/detached: the hardware is not touched.'));

/** What happens on the node before a device leaves it that nobody may be using. */
const unlessUsed = [node.findLoad, node.fence, node.findAllocation, node.drain];

/** Nothing is on the fabric for this object yet, or only a lost call of another operator. */
const attach: Rows = [
  row('deleted and detached, no device', { goal: 'gone', hold: 'detached', device: 'none' }, node.removeFinalizer),
  row(
    'deleted after a lost call, place unknown',
    { goal: 'gone', device: 'none', origin: ['inDoubt', 'settled'], node: 'gone', location: 'missing' },
    placeUnknown,
  ),
  row('deleted, perhaps with a lost call', { goal: 'gone', device: 'none', origin: 'inDoubt' }, settling),
  row('deleted after a lost call', { goal: 'gone', device: 'none', origin: 'settled' }, fabric.adoptOrAttach),
  row('deleted before anything was attached', { goal: 'gone', device: 'none' }, node.removeFinalizer),
  row('detached', { goal: 'present', hold: 'detached' }, detached),
  row('paused', { device: 'none', hold: 'paused' }, paused),
  row('node gone before anything was attached', { device: 'none', node: 'gone' }, nodeGone),
  row('perhaps a lost call', { device: 'none', origin: 'inDoubt' }, settling),
  row('after a lost call', { device: 'none', origin: 'settled' }, fabric.adoptOrAttach),
  row('nothing to give back', { device: 'none', giveBack: true }, nothingToGiveBack),
  row('node not read yet', { device: 'none', node: 'unknown' }, waitForNode),
  row('node not ready', { device: 'none', node: 'notReady' }, nodeNotReady),
  row('attach', { device: 'none' }, fabric.prepareAttachAfter(node.ensureDriver)),
];

function settling(facts: ResourceFacts) {
  const message =
    'Left by another operator in the middle of an attach: waiting whether a device of an earlier call turns up.';
  return watchFor(going(stateOf(facts), 'Settling', message));
}

/** For each state its rows, read from the top. */
export const life: Readonly<Record<ResourceState, Rows>> = {
  '': [
    ...common,
    row('a device to give back', { giveBack: true, device: 'none' }, node.takeIds),
    row('deleted and detached', { goal: 'gone', hold: 'detached', device: HAS_DEVICE }, node.spareAndRelease()),
    ...attach,
    row('a device already', {}, node.makeVisible),
  ],
  Attaching: [
    ...common,
    row('deleted and detached', { goal: 'gone', hold: 'detached', device: HAS_DEVICE }, node.spareAndRelease()),
    ...attach,
    row('deleted', { goal: 'gone' }, node.beginDetaching),
    row('node gone', { node: 'gone', hold: 'none' }, nodeGone),
    row('to be given back', { giveBack: true, hold: 'none' }, givenBack),
    row('place not recorded, node failing', { location: 'missing', node: 'notReady' }, node.recordLocation),
    row('on the fabric, not identified', { device: 'unidentified' }, unidentified),
    row('visible', { visible: 'visible' }, node.goOnline),
    row('paused, not visible yet', { hold: 'paused' }, paused),
    row('not visible yet', {}, node.makeVisible),
  ],
  Online: [
    ...common,
    row('deleted and detached', { goal: 'gone', hold: 'detached' }, node.spareAndRelease()),
    row('detached', { hold: 'detached' }, detached),
    row('deleted and paused', { goal: 'gone', hold: 'paused' }, paused),
    row('deleted', { goal: 'gone' }, node.beginDetaching),
    row('place not recorded', { location: 'missing', node: ['ready', 'notReady'] }, node.recordLocation),
    row('node gone', { node: 'gone', hold: 'none' }, nodeGone),
    row('to be given back', { giveBack: true, hold: 'none' }, givenBack),
    row('stays', {}, node.stayOnline),
  ],
  Detaching: [
    ...common,
    row('deleted and detached', { goal: 'gone', hold: 'detached' }, node.spareAndRelease(node.unfence)),
    row('detached', { hold: 'detached' }, detached),
    row('paused', { hold: 'paused' }, paused),
    row('nothing to detach', { device: 'none' }, node.forgetDevice),
    row('released, node gone', { device: 'released', node: 'gone' }, node.forgetDevice),
    // What status would say of an object that vanishes with the next write nobody reads.
    row('released, over', { device: 'released', visible: 'absent', goal: 'gone', shared: false }, node.letGo),
    row('released, gone from the node', { device: 'released', visible: 'absent' }, node.forgetDevice),
    // Where only a look on the node tells, nobody may have looked yet.
    row('released, perhaps still visible', { device: 'released' }, node.makeInvisible),
    row('node gone, place unknown', { node: 'gone', location: 'missing' }, placeUnknown),
    row('give back, node gone', { giveBack: true, node: 'gone' }, giveBackAfter()),
    row('node gone', { node: 'gone' }, fabric.prepareDetachAfter()),
    row('node not read yet', { node: 'unknown' }, waitForNode),
    row('place not recorded, node failing', { location: 'missing', node: 'notReady' }, node.recordLocation),
    row('node not ready', { node: 'notReady' }, nodeNotReady),
    row('give back, not identified', { giveBack: true, device: 'unidentified' }, giveBackAfter()),
    row('detach, not identified', { device: 'unidentified' }, fabric.prepareDetachAfter()),
    row('give back by force', { giveBack: true, force: true }, giveBackAfter(node.fence, node.drain)),
    row('give back', { giveBack: true }, giveBackAfter(...unlessUsed)),
    row('detach by force', { force: true }, fabric.prepareDetachAfter(node.fence, node.drain)),
    row('detach', {}, fabric.prepareDetachAfter(...unlessUsed)),
  ],
  Deleting: [
    ...commonAtTheEnd,
    row('deleted and detached', { goal: 'gone', hold: 'detached', device: HAS_DEVICE }, node.spareAndRelease()),
    row('a device after all', { device: HAS_DEVICE }, node.beginDetaching),
    row('over, to be released', { goal: 'gone' }, node.removeFinalizer),
    row(
      'over, not deleted yet',
      {},
      node.deleteSelf(() => going('Deleting', 'Deleting', 'The device is gone.')),
    ),
  ],
};

function unidentified() {
  return watchFor(
    failing('Attaching', 'NotIdentified', 'The device is attached, and its id on the node is not known.'),
  );
}
