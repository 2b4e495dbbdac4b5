import type { Visibility } from '../visibility.ts';
import { parseChunkId } from './chunk.ts';
import type { HeldChunk, MemoryLedger } from './ledger.ts';
import { neededMiB } from './shown.ts';

/**
 * Visibility of memory by the capacity of its node: a piece is visible when the node has more memory than what is there without it
 * explains. A node does not say which piece it has, so where one is missing it is the one that came last, or should have gone.
 */
export function capacityVisibility(ledger: MemoryLedger): Visibility {
  return {
    of(node, deviceId) {
      if (!ledger.synced) return 'unknown';
      const capacityMiB = ledger.capacityMiB(node);
      const needed = needs(ledger, node, deviceId);
      return capacityMiB !== undefined && needed !== undefined && capacityMiB >= needed ? 'visible' : 'absent';
    },
    missing(node, deviceId) {
      const capacityMiB = ledger.capacityMiB(node);
      const needed = needs(ledger, node, deviceId);
      if (needed === undefined) return `'${deviceId}' is not the id of a piece of memory`;
      if (capacityMiB === undefined) return 'the node does not say how much memory it has';
      if (capacityMiB >= needed) return undefined;
      return `its capacity is ${capacityMiB} MiB of memory, at least ${needed} MiB are expected with this piece`;
    },
    onChange: (listener) =>
      ledger.onChange((node) => {
        for (const { id } of ledger.chunksOn(node)) listener(node, id);
      }),
  };
}

function needs(ledger: MemoryLedger, node: string, deviceId: string): number | undefined {
  const chunks = ledger.chunksOn(node);
  const chunk = chunks.find(({ id }) => id === deviceId) ?? arriving(deviceId);
  return chunk === undefined ? undefined : neededMiB(chunk, chunks);
}

/** One of which the resource does not tell yet: it has just come. */
function arriving(deviceId: string): HeldChunk | undefined {
  const chunk = parseChunkId(deviceId);
  return chunk === undefined ? undefined : { ...chunk, standing: 'arriving' };
}
