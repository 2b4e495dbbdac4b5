import type { Failure } from '@cro/crd-types';
import type { Chunk } from './chunk.ts';

/**
 * How far a piece of memory is. `arriving`: attached, not seen yet. `here`: seen. `leaving`: to be given back. `going`: the fabric was
 * asked to take it. `released`: the fabric has it back, the node may not have noticed.
 */
export type Standing = 'arriving' | 'here' | 'leaving' | 'going' | 'released';

/** A piece of memory, and how far it is. */
export interface HeldChunk extends Chunk {
  readonly standing: Standing;
}

/** What the cluster knows of the memory of its nodes. */
export interface MemoryLedger {
  /** Whether nodes and resources have been read. */
  readonly synced: boolean;
  /** `status.capacity.memory` of a node in whole MiB; undefined: there is no such node, or it does not say. */
  capacityMiB(node: string): number | undefined;
  /** The pieces that the fabric has attached to a node, or that the node may not have let go of yet. */
  chunksOn(node: string): readonly HeldChunk[];
  /** What a node can still give to pods, in MiB: allocatable less what its pods request. One list of the node's pods. */
  freeMiB(node: string): Promise<Free>;
  /** Calls `listener` when a node's capacity or its pieces change; the result ends that. */
  onChange(listener: (node: string) => void): () => void;
}

/** What a node can still give. */
export type Free =
  { readonly tag: 'free'; readonly freeMiB: number } | { readonly tag: 'failed'; readonly failure: Failure };
