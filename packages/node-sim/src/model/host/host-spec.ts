import type { Device } from '@cro/fabric-sim';
import type { GpuFacts } from './gpu.ts';

/**
 * Where a host's driver lives. `container`: in the GPU Operator's driver pod, whose root it calls `/run/nvidia/driver`. `host`: on
 * the host. `none`: there is no driver, so nothing sees a GPU.
 */
export type DriverKind = 'container' | 'host' | 'none';

/**
 * nvidia-persistenced on a host. `none`: it does not run. `follows`: it closes a GPU when the GPU's persistence mode is switched
 * off. `keeps`: it holds the GPU until it ends, as it does in the driver's container (NVIDIA/gpu-operator#118).
 */
export type Persistenced = 'none' | 'follows' | 'keeps';

/** What a host is like. Everything has a default. */
export interface HostSpec {
  /** `host` unless given. */
  readonly driver?: DriverKind;
  /** Whether it is a virtual machine: `/proc/cpuinfo` has `hypervisor` then, and nvidia-smi cannot remove a GPU. */
  readonly vm?: boolean;
  /** `keeps` with a driver in a container, else `follows`, unless given. */
  readonly persistenced?: Persistenced;
  /** Whether the driver switches persistence mode on for the GPUs that it finds. True where the daemon runs, unless given. */
  readonly persistenceMode?: boolean;
  /** `580.65.06` unless given. */
  readonly driverVersion?: string;
  /** nvidia-smi's exit code for `No devices were found`. 6, as its manual says, unless given: older drivers end with 0. */
  readonly noDevicesExitCode?: number;
  /** GPUs that are fixed in the host: no fabric knows them, and the driver has them from the start. */
  readonly fixedGpus?: readonly GpuFacts[];
  /** What the driver reads from a device of the fabric, where it is not what is made up from its UUID and model. */
  readonly gpuOf?: (device: Device) => Partial<GpuFacts>;
  /** Where its containers have `chroot`. `/usr/sbin/chroot` and `/bin/chroot` unless given. */
  readonly chrootPaths?: readonly string[];
}

/** The facts of a device of the fabric: its UUID is what the fabric calls its serial, the rest is made up from that. */
export function factsOf(device: Device, { gpuOf }: HostSpec): GpuFacts {
  const digits = [...device.resUuid].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 10_000_000, 0);
  const made = {
    uuid: device.serial,
    serial: `165${digits.toString().padStart(10, '0')}`,
    model: device.model,
    memoryMiB: memoryOf(device.model),
  };
  return { ...made, ...gpuOf?.(device) };
}

/** The `80GB` of a model's name, else 40 GiB. */
function memoryOf(model: string): number {
  const [, gigabytes = '40'] = /(\d+)\s?GB/u.exec(model) ?? [];
  return Number(gigabytes) * 1024;
}
