import type { HeldChunk, Standing } from './ledger.ts';

const ORDER: Readonly<Record<Standing, number>> = { here: 0, leaving: 0, going: 0, arriving: 1, released: 2 };

/**
 * The order in which the capacity of a node is given to its pieces of memory: those that are there, those that come, those that
 * should have gone; of each the smaller first, so that what a kernel keeps of a large one is not taken from a small one.
 */
function inOrder(chunks: readonly HeldChunk[]): readonly HeldChunk[] {
  return chunks.toSorted(
    (a, b) =>
      ORDER[a.standing] - ORDER[b.standing] || a.sizeMiB - b.sizeMiB || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
}

/** The capacity of a node from which on it shows a piece of its memory, in MiB. Pieces have no names there: it counts what is before it. */
export function neededMiB(chunk: HeldChunk, chunks: readonly HeldChunk[]): number {
  const order = inOrder([...chunks.filter(({ id }) => id !== chunk.id), chunk]);
  const before = order.slice(0, order.indexOf(chunk)).reduce((sum, { sizeMiB }) => sum + sizeMiB, 0);
  // More than half of it: a kernel keeps some for its own account (64 bytes of each 4 KiB), and takes memory in whole blocks only.
  return chunk.baseMiB + before + Math.ceil(chunk.sizeMiB / 2);
}

/** The pieces that a node of that capacity shows. */
export function shownOf(chunks: readonly HeldChunk[], capacityMiB: number): readonly HeldChunk[] {
  return chunks.filter((chunk) => capacityMiB >= neededMiB(chunk, chunks));
}
