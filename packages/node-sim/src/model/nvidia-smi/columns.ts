import type { BoundGpu } from '../host/gpu.ts';
import { nvmlAddress } from '../host/pci-address.ts';
import type { Process } from '../host/processes.ts';
import type { Column } from './csv.ts';

/** A GPU, with its index among those that nvidia-smi sees. */
export interface GpuRow {
  readonly gpu: BoundGpu;
  readonly index: number;
  readonly driverVersion: string;
  readonly count: number;
}

/** A process that computes on a GPU. */
export interface AppRow {
  readonly gpu: BoundGpu;
  readonly process: Process;
}

const MIB = 'MiB';

/** Fields of `--query-gpu`. `--help-query-gpu` lists them; `device_minor` is not in that list and is answered all the same. */
export const GPU_COLUMNS: Readonly<Record<string, Column<GpuRow>>> = {
  ...named(['index'], { value: ({ index }) => String(index) }),
  ...named(['count'], { value: ({ count }) => String(count) }),
  ...named(['uuid', 'gpu_uuid'], { value: ({ gpu }) => gpu.uuid }),
  ...named(['serial', 'gpu_serial'], { value: ({ gpu }) => gpu.serial }),
  ...named(['name', 'gpu_name'], { value: ({ gpu }) => gpu.model }),
  ...named(['pci.bus_id', 'gpu_bus_id'], { value: ({ gpu }) => nvmlAddress(gpu.address) }),
  ...named(['driver_version'], { value: ({ driverVersion }) => driverVersion }),
  ...named(['persistence_mode'], { value: ({ gpu }) => (gpu.persistent ? 'Enabled' : 'Disabled') }),
  ...named(['memory.total'], { unit: MIB, value: ({ gpu }) => String(gpu.memoryMiB) }),
  ...named(['mig.mode.current'], { value: ({ gpu }) => (gpu.mig.length > 0 ? 'Enabled' : 'Disabled') }),
  ...named(['device_minor'], { value: ({ gpu }) => String(gpu.minor) }),
};

/** Fields of `--query-compute-apps`. The UUID of a process on a MIG device is that device's. */
export const APP_COLUMNS: Readonly<Record<string, Column<AppRow>>> = {
  ...named(['pid'], { value: ({ process }) => String(process.pid) }),
  ...named(['process_name', 'name'], { value: ({ process }) => process.path }),
  ...named(['gpu_uuid'], { value: ({ gpu, process }) => process.mig ?? gpu.uuid }),
  ...named(['gpu_name'], { value: ({ gpu }) => gpu.model }),
  ...named(['gpu_serial'], { value: ({ gpu }) => gpu.serial }),
  ...named(['gpu_bus_id'], { value: ({ gpu }) => nvmlAddress(gpu.address) }),
  ...named(['used_gpu_memory', 'used_memory'], { unit: MIB, value: ({ process }) => String(process.memoryMiB) }),
};

/** One column under each of its names; the first is its head. */
function named<T>(
  [first, ...others]: readonly [string, ...string[]],
  column: Omit<Column<T>, 'head'>,
): Readonly<Record<string, Column<T>>> {
  return Object.fromEntries([first, ...others].map((name) => [name, { head: first, ...column }]));
}
