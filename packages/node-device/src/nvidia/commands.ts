import type { DriverPlace } from '../node-cluster.ts';
import type { GpuUuid, PciAddress } from './patterns.ts';
import {
  CONFIGS_IN_CONTAINER,
  CONFIGS_ON_HOST,
  END_PERSISTENCED,
  FIND_PERSISTENCED,
  IN_DRIVER_ROOT,
  LOAD,
  LOOK_AND_QUIESCE,
  QUIESCE,
  REMOVE_IN_CONTAINER,
  REMOVE_ON_HOST,
  START_PERSISTENCED,
} from './scripts.ts';

/** A command for the place where a node's driver is reached: a program with its arguments, by absolute path. */
export interface Command {
  /** What it does, for a message: "reading ...". */
  readonly doing: string;
  readonly argv: readonly string[];
  /** How long it may take, in milliseconds. */
  readonly deadlineMs: number;
}

const NVIDIA_SMI = '/usr/bin/nvidia-smi';
const CSV = '--format=csv,noheader,nounits';
/** Each run of nvidia-smi may initialise every GPU of a node, which takes seconds for each. */
const LOOK_MS = 60_000;
const QUICK_MS = 15_000;
/** The driver tears a GPU down, and its memory is scrubbed: that alone may take 90 s. */
const REMOVE_MS = 120_000;

const QUERY = [NVIDIA_SMI, '--query-gpu=gpu_uuid,serial,pci.bus_id,name', CSV];

/** Lists the GPUs that the driver has; that makes it notice a new one, and makes its device file. */
export function listGpus(place: DriverPlace): Command {
  return { doing: 'listing the GPUs', argv: inDriverRoot(place, QUERY), deadlineMs: LOOK_MS };
}

/** The same, and before it the configuration spaces of NVIDIA's PCI devices: some tell a serial number of their own. */
export function listGpusAndConfigs(place: DriverPlace): Command {
  const argv =
    place.driver === 'container'
      ? script(CONFIGS_IN_CONTAINER, ...QUERY)
      : inDriverRoot(place, script(CONFIGS_ON_HOST, ...QUERY));
  return { doing: 'listing the GPUs and their PCI serial numbers', argv, deadlineMs: LOOK_MS };
}

/** Finds out whether the host has NVIDIA's driver; ends with 0 if so. */
export function findHostDriver(place: DriverPlace): Command {
  const argv = inDriverRoot(place, ['/usr/sbin/modinfo', '-F', 'version', 'nvidia']);
  return { doing: 'looking for the driver of the host', argv, deadlineMs: QUICK_MS };
}

/** Reads who uses a GPU: compute processes, and whoever has its device file open; and whether the persistence daemon of a container runs. */
export function readLoad(place: DriverPlace): Command {
  // The file of the daemon's process id is the container's.
  const argv =
    place.driver === 'container' ? script(FIND_PERSISTENCED, ...script(LOAD)) : inDriverRoot(place, script(LOAD));
  return { doing: 'reading who uses the GPU', argv, deadlineMs: LOOK_MS };
}

/** Whether a GPU is quiesced that processes beside the persistence daemon have open. */
export type QuiesceMode = 'unlessOpen' | 'anyway';

/** Ends what keeps a GPU initialised, and reads how it is then. Does nothing to any other GPU, nor where this one is gone. */
export function quiesce(place: DriverPlace, uuid: GpuUuid, mode: QuiesceMode): Command {
  // Where the driver is of the host, its persistence daemon lets go of a GPU when it is told to by `-pm 0`.
  const argv =
    place.driver === 'container'
      ? script(END_PERSISTENCED, uuid.toString(), mode, ...script(QUIESCE, uuid.toString()))
      : inDriverRoot(place, script(LOOK_AND_QUIESCE, uuid.toString(), mode));
  return { doing: 'switching the persistence mode off', argv, deadlineMs: LOOK_MS };
}

/** Modules that would keep the driver busy while the last GPU of a host goes. */
export const MODULES_IN_THE_WAY = ['nvidia_drm', 'nvidia_uvm'] as const;

/** How a GPU is taken off its node. */
export interface Removal {
  readonly uuid: GpuUuid;
  readonly address: PciAddress;
  readonly minor: number;
  /** Whether it is in drain state already: nobody can open it any more. */
  readonly isDraining: boolean;
  /**
   * Modules that are unloaded before. `modprobe -r` would unload `nvidia` with them when nothing else uses that, and with `nvidia` goes the only
   * place that says which GPU is at which address: whoever had to begin anew after a crash could not know any more.
   */
  readonly modules: readonly (typeof MODULES_IN_THE_WAY)[number][];
  /** `kernel` where the driver cannot do it itself: in a VM, and for the last GPU of a host. */
  readonly by: 'nvidia-smi' | 'kernel';
}

/** Takes a GPU from the driver and off the PCI bus, in one command; reads which GPUs the driver has then. */
export function remove(place: DriverPlace, { uuid, address, minor, isDraining, modules, by }: Removal): Command {
  const state = isDraining ? 'draining' : 'serving';
  const args = [uuid.toString(), address.inKernel, address.inNvidiaSmi, String(minor), state, by, ...modules];
  const argv =
    place.driver === 'container'
      ? script(REMOVE_IN_CONTAINER, ...args)
      : inDriverRoot(place, script(REMOVE_ON_HOST, ...args));
  return { doing: 'removing the GPU', argv, deadlineMs: REMOVE_MS };
}

/** Starts the persistence daemon of a container, as its driver does: it was ended for a GPU that has left. */
export function startPersistenced(): Command {
  return { doing: 'starting nvidia-persistenced', argv: script(START_PERSISTENCED), deadlineMs: LOOK_MS };
}

/** The program in the root of the driver's files. */
function inDriverRoot(place: DriverPlace, argv: readonly string[]): readonly string[] {
  switch (place.driver) {
    case 'host':
      return ['/bin/chroot', '/host-root', ...argv];
    case 'container':
      return script(IN_DRIVER_ROOT, ...argv);
  }
}

/** A constant script; what differs are its positional arguments. */
function script(text: string, ...args: readonly string[]): readonly string[] {
  return ['/bin/sh', '-c', text, 'cro', ...args];
}
