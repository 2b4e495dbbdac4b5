import type { Host } from '../host/host.ts';
import type { Process } from '../host/processes.ts';
import type { Entry } from './entry.ts';
import { cpuInfo, gpuInformation, moduleLine } from './kernel-texts.ts';

type Named = readonly [string, Entry];

/** NVIDIA's vendor number and the class of a 3D controller, as sysfs writes them. */
const VENDOR = '0x10de\n';
const CLASS = '0x030200\n';
const MODE = { tag: 'file', text: '' } as const;

/** What the kernel shows in every root: /proc and /dev. */
export function kernelFiles(host: Host): readonly Named[] {
  const { spec } = host;
  return [
    text('/proc/cpuinfo', cpuInfo(spec.vm ?? false)),
    text('/proc/modules', host.modules.list().map(moduleLine).join('')),
    ['/proc/driver', { tag: 'folder' }],
    ['/dev/null', { ...MODE, write: () => undefined }],
    ...host.processes.list().flatMap((process) => processFiles(host, process)),
    ...driverFiles(host),
  ];
}

/** sysfs, as far as it is about PCI devices. */
export function pciFiles(host: Host): readonly Named[] {
  const devices = host.plugged
    .filter(({ onBus }) => onBus)
    .flatMap((gpu): readonly Named[] => {
      const folder = `/sys/bus/pci/devices/${gpu.address}`;
      return [
        text(`${folder}/vendor`, VENDOR),
        text(`${folder}/class`, CLASS),
        [`${folder}/remove`, { ...MODE, write: whenOne(() => host.removeWhenFree(gpu)) }],
      ];
    });
  return [['/sys/bus/pci/rescan', { ...MODE, write: whenOne(() => host.rescan()) }], ...devices];
}

function driverFiles(host: Host): readonly Named[] {
  if (!host.modules.has('nvidia')) return [];
  const version = host.driverVersion;
  return [
    text('/proc/driver/nvidia/version', `NVRM version: NVIDIA UNIX x86_64 Kernel Module  ${version}  Simulated\n`),
    ...host.bound.map((gpu) =>
      text(`/proc/driver/nvidia/gpus/${gpu.address}/information`, gpuInformation(gpu, version)),
    ),
    ...(host.bound.length > 0 ? ['/dev/nvidiactl', '/dev/nvidia-uvm'].map((path): Named => [path, MODE]) : []),
    ...host.bound
      .filter(({ deviceFile }) => deviceFile)
      .map(({ minor }): Named => {
        const remove = () => {
          host.unlinkDeviceFile(minor);
        };
        return [`/dev/nvidia${minor}`, { ...MODE, remove }];
      }),
  ];
}

function processFiles(host: Host, { pid, comm, path, opens }: Process): readonly Named[] {
  const open = host.bound.filter(({ uuid }) => opens.has(uuid));
  const targets = [
    ...['/dev/null', '/dev/null', '/dev/null'],
    ...(open.length > 0 ? ['/dev/nvidiactl'] : []),
    // The kernel says of a file that was deleted while it is open.
    ...open.map(({ minor, deviceFile }) => `/dev/nvidia${minor}${deviceFile ? '' : ' (deleted)'}`),
  ];
  return [
    text(`/proc/${pid}/comm`, `${comm}\n`),
    text(`/proc/${pid}/cmdline`, `${path}\0`),
    ...targets.map((target, fd): Named => [`/proc/${pid}/fd/${fd}`, { tag: 'link', target }]),
  ];
}

/** What nvidia-persistenced has in the root in which it runs. */
export function persistencedFiles({ persistenced }: Host): readonly Named[] {
  const path = '/run/nvidia-persistenced/nvidia-persistenced.pid';
  return persistenced === undefined ? [] : [text(path, `${persistenced.pid}\n`)];
}

function text(path: string, content: string): Named {
  return [path, { tag: 'file', text: content }];
}

/** sysfs takes any number but 0 for yes; a shell's opening of the file writes nothing. */
function whenOne(act: () => void | Promise<void>): (written: string) => void | Promise<void> {
  return (written) => (Number(written.trim()) > 0 ? act() : undefined);
}
