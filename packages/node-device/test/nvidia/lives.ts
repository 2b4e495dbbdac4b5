import { expect } from 'vitest';
import {
  NodeLooks,
  type IdentifyOutcome,
  type LoadOutcome,
  type NodeActions,
  type NodeOutcome,
} from '../../src/index.ts';
import type { Between, ModelNode } from './model-node.ts';

/** Where the cluster sees devices. */
export type SeenIn = 'slices' | 'looks';

/** How one action of a life ended: `over` when the next may follow. */
type Step = NodeOutcome | LoadOutcome | IdentifyOutcome;

/** A way of a device on a node: what the operator asks of the node, from the beginning until all of it is done. */
export interface Life {
  readonly seenIn: SeenIn;
  /** GPUs of the fabric that are in the machine at first, of those that the host is to have in the end. */
  readonly isAttached: boolean;
  /** Gives the outcome of the first action that did not end well. */
  readonly go: (node: ModelNode, actions: NodeActions, signal: AbortSignal) => Promise<Step>;
}

const DONE: NodeOutcome = { tag: 'done' };

/** A GPU comes; the fabric knows its serial number, and not its UUID. */
export function attach(seenIn: SeenIn): Life {
  return {
    seenIn,
    isAttached: false,
    async go(node, actions, signal) {
      const { node: name, deviceId, resource } = node.refTo(0);
      // After the fabric's call nobody looks at the driver first.
      const ready = node.isIn(0) ? DONE : await actions.ensureDriver(name, signal);
      if (ready.tag !== 'done') return ready;
      node.give(0);
      const serialNumber = node.host.gpus().find(({ uuid }) => uuid === deviceId)?.serial ?? '';
      const question = { node: name, resource, hints: { serialNumber }, before: [], taken: [] };
      const identity = await actions.identify(question, signal);
      if (identity.tag !== 'identified') return identity;
      expect(identity.deviceId).toBe(deviceId);
      return actions.refresh(node.refTo(0), 'visible', signal);
    },
  };
}

/** A GPU goes, when nothing uses it. */
export function detach(seenIn: SeenIn): Life {
  return {
    seenIn,
    isAttached: true,
    async go(node, actions, signal) {
      const load = await actions.findLoad(node.refTo(0), signal);
      if (load.tag !== 'idle') return load;
      return leave(node, actions, false, signal);
    },
  };
}

/** A GPU goes that a process has open; it ends once the node has refused to let the GPU go. */
export function forcedDetach(seenIn: SeenIn): Life {
  const begun = new WeakSet<ModelNode>();
  return {
    seenIn,
    isAttached: true,
    async go(node, actions, signal) {
      const { deviceId } = node.refTo(0);
      if (!begun.has(node)) node.host.run({ comm: 'python3', opens: [deviceId] });
      begun.add(node);
      const first = await leave(node, actions, true, signal);
      if (first.tag !== 'failed' || first.failure.kind !== 'Busy') return first;
      for (const { pid, comm } of node.host.processes()) if (comm === 'python3') node.host.end(pid);
      return leave(node, actions, true, signal);
    },
  };
}

async function leave(node: ModelNode, actions: NodeActions, force: boolean, signal: AbortSignal): Promise<NodeOutcome> {
  const drained = await actions.drain({ ...node.refTo(0), force }, signal);
  if (drained.tag === 'failed') return drained;
  // The fabric is asked once.
  if (node.isIn(0)) node.take(0);
  return actions.refresh(node.refTo(0), 'absent', signal);
}

/** What happens at a command. `before`: it does not reach the node. `after`: it does, its answer is lost. `reboot`: and the node boots. */
export type Trouble = 'before' | 'after' | 'reboot';

/** Goes the life, and has the trouble at its `at`-th command; of what follows nothing is told to the process if that `dies`. */
export async function troubled(
  node: ModelNode,
  life: Life,
  { at, what, dies }: { readonly at: number; readonly what: Trouble; readonly dies: boolean },
): Promise<void> {
  const stop = new AbortController();
  const between: Between = async (run, _request, index) => {
    if (index !== at) return run();
    if (what !== 'before') await run();
    if (what === 'reboot') node.reboot();
    if (!dies) return { tag: 'lost', message: 'cut off' };
    stop.abort(new Error('the process was killed'));
    return { tag: 'aborted' };
  };
  const looks = new NodeLooks();
  const actions = node.actionsWith(between, life.seenIn, looks);
  if (!dies) {
    await untilDone(node, life, actions);
    return;
  }
  await expect(life.go(node, actions, stop.signal)).rejects.toThrow('the process was killed');
  await untilDone(node, life, node.actionsWith(undefined, life.seenIn));
}

/** Goes a life until it ends well: what is in doubt, or was refused for the moment, is tried again from the beginning. */
export async function untilDone(node: ModelNode, life: Life, actions: NodeActions): Promise<void> {
  const { signal } = new AbortController();
  let step = await life.go(node, actions, signal);
  for (let tries = 1; step.tag === 'failed' && tries < 3; tries += 1) {
    expect(step.failure.kind, step.failure.message).toMatch(/InDoubt|Busy/);
    step = await life.go(node, actions, signal);
  }
  expect(step).toEqual(DONE);
}
