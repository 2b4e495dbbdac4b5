export { capacityIdentity } from './capacity-identity.ts';
export { capacityVisibility } from './capacity-visibility.ts';
export { chunkId, parseChunkId, type Chunk } from './chunk.ts';
export type { Free, HeldChunk, MemoryLedger, Standing } from './ledger.ts';
export { sliceMemoryActions, sliceMemoryIdentity, type SliceMemoryOptions } from './slice-memory.ts';
export { memoryActions } from './memory-actions.ts';
