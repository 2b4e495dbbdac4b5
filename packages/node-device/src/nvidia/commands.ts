import type { DriverPlace } from '../node-cluster.ts';
import type { GpuUuid, PciAddress } from './patterns.ts';
import {
  CONFIGS_IN_CONTAINER,
  CONFIGS_ON_HOST,
  END_PERSISTENCED,
  FIND_PERSISTENCED,
  IN_DRIVER_ROOT,
  LOAD,
  LOOK,
  LOOK_AND_QUIESCE,
  QUIESCE,
  START_PERSISTENCED,
} from './scripts.ts';

/** A command for the place where a node's driver is reached: a program with its arguments, by absolute path. */
export interface Command {
  /** What it does, for a message: "reading ...". */
  readonly doing: string;
  readonly argv: readonly string[];
  readonly stdin?: string;
  /** How long it may take, in milliseconds. */
  readonly deadlineMs: number;
}

const NVIDIA_SMI = '/usr/bin/nvidia-smi';
const CSV = '--format=csv,noheader,nounits';
/** Each run of nvidia-smi may initialise every GPU of a node, which takes seconds for each. */
const LOOK_MS = 60_000;
const QUICK_MS = 15_000;
/** The driver tears a GPU down, and its memory is scrubbed. */
const REMOVE_MS = 90_000;

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

/** Lets nobody open the GPU any more. */
export function startDraining(place: DriverPlace, address: PciAddress): Command {
  const argv = inDriverRoot(place, [NVIDIA_SMI, 'drain', '-p', address.inNvidiaSmi, '-m', '1']);
  return { doing: 'setting the drain state', argv, deadlineMs: QUICK_MS };
}

/** Removes the device file of the GPU. It is no failure when there is none. */
export function removeDeviceFile(place: DriverPlace, minor: number): Command {
  const file = `/dev/nvidia${minor}`;
  const rm = ['/usr/bin/rm', '-f'];
  const argv =
    place.driver === 'container' ? [...rm, file, `/run/nvidia/driver${file}`] : inDriverRoot(place, [...rm, file]);
  return { doing: `removing ${file}`, argv, deadlineMs: QUICK_MS };
}

/** Takes the GPU from the driver and off the PCI bus. */
export function removeGpu(place: DriverPlace, address: PciAddress): Command {
  const argv = inDriverRoot(place, [NVIDIA_SMI, 'drain', '-p', address.inNvidiaSmi, '-r']);
  return { doing: 'removing the GPU from the driver', argv, deadlineMs: REMOVE_MS };
}

/** The same through the kernel, where the driver cannot do it itself: in a VM, and for the last GPU of a host. */
export function removeFromBus(place: DriverPlace, address: PciAddress): Command {
  const tee = ['/usr/bin/tee', `/sys/bus/pci/devices/${address.inKernel}/remove`];
  // The driver's root in a container is mounted without /sys.
  const argv = place.driver === 'container' ? tee : inDriverRoot(place, tee);
  return { doing: 'removing the GPU from the PCI bus', argv, stdin: '1\n', deadlineMs: REMOVE_MS };
}

/** Modules that would keep the driver busy while the last GPU of a host goes. */
export const MODULES_IN_THE_WAY = ['nvidia_drm', 'nvidia_uvm'] as const;

/**
 * Unloads some of them, one after the other. `modprobe -r` would unload `nvidia` with it when nothing else uses that, and with `nvidia` goes the only
 * place that says which GPU is at which address: whoever had to begin anew after a crash could not know any more.
 */
export function unloadModules(place: DriverPlace, modules: readonly (typeof MODULES_IN_THE_WAY)[number][]): Command {
  const argv = inDriverRoot(place, ['/usr/sbin/rmmod', ...modules]);
  return { doing: `unloading ${modules.join(' and ')}`, argv, deadlineMs: QUICK_MS };
}

/** Reads which GPUs the driver has, and whether the persistence daemon of a container runs. */
export function look(place: DriverPlace): Command {
  const argv = place.driver === 'container' ? script(LOOK) : inDriverRoot(place, script(LOOK));
  return { doing: 'reading which GPUs the driver has', argv, deadlineMs: QUICK_MS };
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
