import type { DeviceType, Failure } from '@cro/crd-types';
import type { ListedDevice } from '../contract/listing.ts';
import type { CallContext } from '../contract/provider.ts';

/** What a machine has, as the fabric sees it now. `absent`: the fabric does not know the machine. */
export type MachineRead =
  | { readonly tag: 'devices'; readonly devices: readonly ListedDevice[] }
  | { readonly tag: 'absent'; readonly message: string }
  | { readonly tag: 'failed'; readonly failure: Failure };

/** Which kind of device, and for which machine. */
export interface Wanted {
  readonly type: DeviceType;
  readonly model: string;
  readonly machine: string;
}

/**
 * Answer to the request for a change.
 *
 * - `done`: it is over. For an attach, `devices` are the ones that the answer names, its own first; for a detach there
 *   are none.
 * - `accepted`: the fabric will do it; look again.
 * - `refused`: certain that nothing changed and nothing will.
 * - `inDoubt`: it may have happened, or may still.
 */
export type Asked =
  | { readonly tag: 'done'; readonly devices: readonly ListedDevice[] }
  | { readonly tag: 'accepted'; readonly retryAfterMs: number }
  | { readonly tag: 'refused'; readonly failure: Failure }
  | { readonly tag: 'inDoubt'; readonly failure: Failure };

/** Reads one machine. */
export type ReadMachine = (machine: string, context: CallContext) => Promise<MachineRead>;
