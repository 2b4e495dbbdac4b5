import type { Pool } from '../pool/pool.ts';
import type { ConnectionBook } from './connections.ts';
import type { MemoryBook } from './memory.ts';

/** How the simulated service shows its devices. */
export interface RedfishStyle {
  /**
   * `patch`: systems are expandable, by a PATCH of their block list. `action`: they advertise AddResourceBlock and
   * RemoveResourceBlock. `connections`: there are no blocks; devices hang on a fabric's endpoints.
   */
  readonly composeBy: 'patch' | 'action' | 'connections';
  /** `stuck`: every block says `Unused`, has no types and names no system, whatever holds it, as the CDIM emulator's do. */
  readonly blockState: 'live' | 'stuck';
  /** Resource zones: the id of the zone by that of a machine or a device. What is in none may be composed with everything. */
  readonly zones: Readonly<Record<string, string>>;
  /** The service knows `$expand`. */
  readonly expand: boolean;
}

/** What the views are made from. */
export interface RedfishState {
  readonly pool: Pool;
  readonly memory: MemoryBook;
  readonly connections: ConnectionBook;
  readonly style: RedfishStyle;
}
