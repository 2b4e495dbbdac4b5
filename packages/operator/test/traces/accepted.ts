import type { ResourceFacts } from '@cro/state-machines';

/** A decision that this release makes otherwise than the one that recorded it, on purpose. */
export interface AcceptedDifference {
  /** The release that recorded the trace. */
  readonly release: string;
  /** The row that decided then. */
  readonly row: string;
  /** Facts that it is limited to. */
  readonly facts?: Partial<ResourceFacts>;
  /** Why it is otherwise now, and why that is safe for objects of that release. */
  readonly reason: string;
}

/** Every such difference. A trace file itself is never edited. */
export const accepted: readonly AcceptedDifference[] = [
  {
    release: 'v0.1.0',
    row: 'no children left',
    reason:
      'A request that nothing else holds vanishes with its finalizer: that all is over needs not be written first. One that is in Deleting already goes on as before.',
  },
  {
    release: 'v0.1.0',
    row: 'detach',
    facts: { giveBack: true },
    reason:
      'The fabric confirms first that a device named by labels is one of its own. That is a read before anything is done to the node; all that follows is as before.',
  },
  {
    release: 'v0.1.0',
    row: 'an operation runs',
    facts: { state: 'Attaching', goal: 'gone', device: 'identified', running: 'beforeTicket' },
    reason:
      'A deletion does not wait for the end of a refresh of the node: that is given up, and the device leaves at once. The refresh changed nothing that the object remembers.',
  },
  {
    release: 'v0.1.0',
    row: 'detach',
    facts: { giveBack: false, force: false },
    reason:
      'Once the fence stands the cluster is asked again whom the device was given to. That is a look at what is watched; all that follows is as before.',
  },
];
