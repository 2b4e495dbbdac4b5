import type { DeviceType, Failure } from '@cro/crd-types';
import type { AttachedDevice } from './ticket.ts';

/** A device in a listing. */
export interface ListedDevice extends AttachedDevice {
  readonly machine: string;
  readonly type: DeviceType;
  /** Empty when the fabric does not say. */
  readonly model: string;
}

/** Every device that is attached to the machines asked for, and the machines that could not be read. */
export interface Listing {
  readonly devices: readonly ListedDevice[];
  readonly unreadable: readonly { readonly machine: string; readonly failure: Failure }[];
}

/** How many devices of a model are free for a machine. `unknown`: the fabric cannot say; an attach will tell. */
export type Availability =
  { readonly tag: 'free'; readonly count: number } | { readonly tag: 'unknown'; readonly failure?: Failure };
