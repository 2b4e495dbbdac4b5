import type { DriverGpu } from './parse/information.ts';
import type { GpuUuid } from './patterns.ts';

/** Whether the driver has a GPU. `untold`: it has one that it has not initialised, and which that is nobody can say yet. */
export type Found =
  | { readonly tag: 'there'; readonly gpu: DriverGpu }
  | { readonly tag: 'absent' }
  | { readonly tag: 'untold'; readonly address: string };

/** Looks for a GPU among those of the driver. */
export function findGpu(gpus: readonly DriverGpu[], uuid: GpuUuid): Found {
  const gpu = gpus.find((one) => one.uuid !== 'unknown' && one.uuid.equals(uuid));
  if (gpu !== undefined) return { tag: 'there', gpu };
  const untold = gpus.find((one) => one.uuid === 'unknown');
  return untold === undefined ? { tag: 'absent' } : { tag: 'untold', address: untold.address.inKernel };
}
