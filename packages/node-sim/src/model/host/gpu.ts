import type { Device } from '@cro/fabric-sim';

/** What a GPU is, wherever it is plugged in. */
export interface GpuFacts {
  /** `GPU-...`. */
  readonly uuid: string;
  /** The board's serial number, as nvidia-smi prints it: 13 digits. */
  readonly serial: string;
  readonly model: string;
  readonly memoryMiB: number;
}

/** A GPU that is plugged into a host, as the host's kernel and driver have it. */
export interface Gpu extends GpuFacts {
  /** What the fabric knows it as; absent where it is fixed in the host and no fabric knows it. */
  readonly device?: Device;
  /** PCI address in the kernel's form: `0000:1f:00.0`. */
  readonly address: string;
  /** Whether the kernel lists it on the bus: not any more after an orderly removal, until a rescan. */
  onBus: boolean;
  /** `/dev/nvidia<minor>`, from when the driver has it; absent while the driver does not see it. */
  minor: number | undefined;
  /** Whether the driver has read its UUID yet: from when a client first opened it. */
  initialised: boolean;
  persistent: boolean;
  /** New clients, nvidia-smi's queries among them, do not see it then. */
  draining: boolean;
  /** Whether `/dev/nvidia<minor>` is there. */
  deviceFile: boolean;
  /** UUIDs of its MIG devices (`MIG-...`): MIG mode is on where there are any. */
  mig: readonly string[];
}

/** A GPU that the driver has. */
export type BoundGpu = Gpu & { minor: number };

/** Whether the driver has the GPU. */
export function isBound(gpu: Gpu): gpu is BoundGpu {
  return gpu.onBus && gpu.minor !== undefined;
}

/** The fabric's id of a GPU, or its UUID where no fabric knows it. */
export function idOf({ device, uuid }: Gpu): string {
  return device?.resUuid ?? uuid;
}

/** A GPU that no fabric has, as a fabric would have it. */
export function fixedDevice(uuid: string, model: string): Device {
  return { type: 'gpu', model, serial: uuid, resUuid: uuid, name: uuid, fabricUuid: undefined, opStatus: '0' };
}
