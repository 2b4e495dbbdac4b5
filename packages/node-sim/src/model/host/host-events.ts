import type { Device } from '@cro/fabric-sim';
import type { Gpu } from './gpu.ts';
import type { NodeFault } from './node-fault.ts';
import type { Process } from './processes.ts';

/** What came of asking for a GPU's removal. `held`: processes have it open. `modules`: these have to be unloaded first. */
export type RemoveOutcome =
  | { readonly tag: 'removed' }
  | { readonly tag: 'held'; readonly by: readonly Process[] }
  | { readonly tag: 'modules'; readonly names: readonly string[] };

/** What a host tells of. */
export interface HostEvents {
  fault(fault: Omit<NodeFault, 'node' | 'atMs'>): void;
  /** A GPU of the fabric's was taken off the bus in order. */
  removed(device: Device): void;
  /** A GPU is about to leave: no new client of the driver sees it any more. */
  leaving(gpu: Gpu): void;
  /** A GPU was cut up in another way. `id`: the fabric's of it, or its UUID where no fabric knows it. */
  recut(id: string): void;
}
