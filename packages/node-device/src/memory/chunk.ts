import { createHash } from 'node:crypto';

/** A piece of memory that the fabric attached to a node, as its id on the node tells of it. */
export interface Chunk {
  readonly id: string;
  /** What the fabric attached, in MiB. */
  readonly sizeMiB: number;
  /** What the node had before it, without any other piece, in MiB. */
  readonly baseMiB: number;
}

const ID = /^memory-([1-9]\d{0,11})MiB-above-(\d{1,12})MiB-[0-9a-f]{12}$/;

/**
 * The id that a piece of memory has on its node. A node gives memory no name, so this one is made: it says all that is needed to see
 * whether the node shows it, also after a restart, fits into a label, and is no other piece's.
 */
export function chunkId({ sizeMiB, baseMiB }: Omit<Chunk, 'id'>, cdiDeviceId: string): string {
  const own = createHash('sha256').update(cdiDeviceId).digest('hex').slice(0, 12);
  return `memory-${sizeMiB}MiB-above-${Math.max(0, baseMiB)}MiB-${own}`;
}

/** Reads such an id; undefined for the id of anything else. */
export function parseChunkId(id: string): Chunk | undefined {
  const [, size, base] = ID.exec(id) ?? [];
  return size === undefined || base === undefined ? undefined : { id, sizeMiB: Number(size), baseMiB: Number(base) };
}
