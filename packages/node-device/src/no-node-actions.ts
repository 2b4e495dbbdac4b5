import type { NodeActions } from './node-actions.ts';
import type { IdentifyOutcome, LoadOutcome, NodeOutcome } from './outcomes.ts';

/** Where {@link noNodeActions} says that it does nothing. */
export interface WarningLog {
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

const DONE: NodeOutcome = { tag: 'done' };
const IDLE: LoadOutcome = { tag: 'idle' };
const UNIDENTIFIED: IdentifyOutcome = {
  tag: 'notYet',
  message:
    'the fabric does not say what the node calls this device, and without node actions nobody looks for it on the node',
};

/**
 * Node actions that touch no node: every device counts as idle and drained, and none can be identified. It fits
 * nodes whose own software notices devices, and workloads that are gone before a device is given back. Writes one
 * warning that says so.
 */
export function noNodeActions(log: WarningLog): NodeActions {
  log.warn('no node actions: drivers and running processes are not looked at before a device is detached', {
    nodeActions: 'none',
  });
  const done = (): Promise<NodeOutcome> => Promise.resolve(DONE);
  return {
    name: 'none',
    ensureDriver: done,
    refresh: done,
    identify: () => Promise.resolve(UNIDENTIFIED),
    findLoad: () => Promise.resolve(IDLE),
    findAllocation: () => Promise.resolve(IDLE),
    drain: done,
  };
}
