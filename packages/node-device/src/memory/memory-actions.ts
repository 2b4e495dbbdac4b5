import type { NodeActions } from '../node-actions.ts';
import type { LoadOutcome, NodeOutcome } from '../outcomes.ts';
import type { HeldChunk, MemoryLedger } from './ledger.ts';
import { shownOf } from './shown.ts';

const DONE: NodeOutcome = { tag: 'done' };

/**
 * Node actions for memory that shows as capacity of its node. No command is run: there is no driver to look for, a kubelet sees memory
 * by itself or at its next start, and taking memory offline is between the fabric and the host (a CXL fabric asks the host to
 * release it, and refuses the detach where the host does not). What is asked here is whether the node's pods can do without.
 */
export function memoryActions(ledger: MemoryLedger): NodeActions {
  return {
    name: 'memory',
    ensureDriver: () => Promise.resolve(DONE),
    refresh: () => Promise.resolve(DONE),
    identify: () => Promise.resolve({ tag: 'notYet', message: 'no command on a node names its memory' }),
    findLoad: ({ node, deviceId }) => findLoad(ledger, node, deviceId),
    // No fence keeps pods from memory: what comes after the question is not for anybody to find.
    findAllocation: () => Promise.resolve({ tag: 'idle' }),
    drain: () => Promise.resolve(DONE),
  };
}

/** In use is what the requests of the node's pods do not leave over, counting what leaves already. */
async function findLoad(ledger: MemoryLedger, node: string, deviceId: string): Promise<LoadOutcome> {
  const isShown = () => shownOf(ledger.chunksOn(node), ledger.capacityMiB(node) ?? 0).some(({ id }) => id === deviceId);
  if (!isShown()) return { tag: 'idle' };
  const free = await ledger.freeMiB(node);
  if (free.tag === 'failed') return free;
  if (!isShown()) return { tag: 'idle' };
  const shown = shownOf(ledger.chunksOn(node), ledger.capacityMiB(node) ?? 0);
  const left = leftFor(deviceId, shown, free.freeMiB);
  const size = shown.find(({ id }) => id === deviceId)?.sizeMiB ?? 0;
  if (left >= size) return { tag: 'idle' };
  return {
    tag: 'inUse',
    by: `pods of node ${node}: ${Math.max(0, left)} MiB of its memory are not requested by any, and this piece has ${size} MiB`,
  };
}

/**
 * What a node has left over for a piece to leave. Those that the fabric was asked to take come first, then those that want to leave as
 * well, each if it fits, in the order of their ids: so each of two finds the same, and never both that there is room for one.
 */
function leftFor(deviceId: string, shown: readonly HeldChunk[], freeMiB: number): number {
  const going = shown.filter(({ standing }) => standing === 'going' || standing === 'released');
  let left = freeMiB - going.reduce((sum, { sizeMiB }) => sum + sizeMiB, 0);
  const wanting = shown.filter(({ standing, id }) => standing === 'leaving' && id < deviceId);
  for (const { sizeMiB } of wanting.toSorted((a, b) => (a.id < b.id ? -1 : 1))) if (left >= sizeMiB) left -= sizeMiB;
  return left;
}
