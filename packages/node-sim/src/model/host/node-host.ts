import type { BoundGpu } from './gpu.ts';
import { isBound } from './gpu.ts';
import type { Host } from './host.ts';
import type { ProcessSpec } from './processes.ts';

/** What a node makes of a GPU that is plugged into it. */
export interface GpuState {
  readonly uuid: string;
  readonly serial: string;
  /** PCI address in the kernel's form: `0000:10:00.0`. */
  readonly address: string;
  /** Whether the kernel lists it on the bus: not any more after its removal in order. */
  readonly onBus: boolean;
  /** `/dev/nvidia<minor>`; undefined while the driver does not have it. */
  readonly minor: number | undefined;
  readonly persistent: boolean;
  readonly draining: boolean;
}

/** A process of a node. */
export interface ProcessState {
  readonly pid: number;
  /** As the kernel has it: cut to 15 characters. */
  readonly comm: string;
  /** UUIDs of the GPUs that it has open. */
  readonly opens: readonly string[];
}

/** A test's hands on the host of a node. Those that name a GPU throw when the driver does not have it. */
export interface NodeHost {
  /** Every GPU that is plugged in, by slot. */
  gpus(): readonly GpuState[];
  /** Every process, with the GPUs that it has open. */
  processes(): readonly ProcessState[];
  /** Starts a process, and answers its pid. */
  run(process: ProcessSpec): number;
  /** Ends a process. Throws when there is none. */
  end(pid: number): void;
  /** Makes the driver look at the bus, as nvidia-smi does. */
  look(): void;
  /** What nvidia-smi complains of on stderr from now on, beside its answers. */
  setWarning(text: string): void;
  setPersistent(uuid: string, on: boolean): void;
  /** Gives a GPU these MIG devices (`MIG-...`), which switches its MIG mode on; none switches it off. */
  setMig(uuid: string, devices: readonly string[]): void;
}

/** A test's hands on a host. */
export function handsOn(host: Host): NodeHost {
  const boundGpu = (uuid: string): BoundGpu => {
    const gpu = host.bound.find((one) => one.uuid === uuid);
    if (gpu === undefined) throw new Error(`the driver has no GPU ${uuid}`);
    return gpu;
  };
  return {
    gpus: () =>
      host.plugged.map((gpu) => {
        const { uuid, serial, address, onBus, persistent, draining } = gpu;
        return { uuid, serial, address, onBus, persistent, draining, minor: isBound(gpu) ? gpu.minor : undefined };
      }),
    processes: () => host.processes.list().map(({ pid, comm, opens }) => ({ pid, comm, opens: [...opens] })),
    run(process) {
      for (const uuid of process.opens) boundGpu(uuid);
      return host.start(process).pid;
    },
    end(pid) {
      if (!host.kill(pid)) throw new Error(`there is no process ${pid}`);
    },
    look: () => {
      host.look();
    },
    setWarning: (text) => {
      host.warning = text;
    },
    setPersistent: (uuid, on) => {
      host.setPersistent(boundGpu(uuid), on);
    },
    setMig: (uuid, devices) => {
      host.setMig(boundGpu(uuid), devices);
    },
  };
}
