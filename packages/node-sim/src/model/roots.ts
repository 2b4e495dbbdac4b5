import type { Clock } from '@cro/clock';
import type { ContainerView } from './container-view.ts';
import { mounted, withFolders, type Entries, type Entry } from './files/entry.ts';
import { kernelFiles, pciFiles, persistencedFiles } from './files/host-files.ts';
import type { Host } from './host/host.ts';
import { nvidiaSmi } from './nvidia-smi/nvidia-smi.ts';
import { chroot } from './programs/chroot.ts';
import { kernelPrograms } from './programs/kernel-programs.ts';
import { kill } from './programs/kill.ts';
import { persistenced } from './programs/persistenced.ts';
import type { Program } from './programs/program.ts';
import { sleep } from './programs/sleep.ts';
import { programFiles, Shell, TOOLS } from './shell/shell.ts';

const HOST_ROOT = '/host-root';
const DRIVER_ROOT = '/run/nvidia/driver';
const CHROOT_PATHS = ['/usr/sbin/chroot', '/bin/chroot'];

type Named = readonly [string, Entry];

/** The roots in which a host's commands run. */
export function rootsOf(host: Host, clock: Clock): Readonly<Record<ContainerView, Shell>> {
  const { driver, spec } = host;
  const chroots = (spec.chrootPaths ?? CHROOT_PATHS).flatMap((path) => programFiles(path, 'chroot'));
  const kernel = ['lsmod', 'modprobe', 'rmmod', 'modinfo'].flatMap((name) => programFiles(`/usr/sbin/${name}`, name));
  const nvidia = ['nvidia-smi', 'nvidia-persistenced'].flatMap((name) => programFiles(`/usr/bin/${name}`, name));
  const common = { sleep: sleep(clock), kill: kill(host) };
  const all = {
    ...common,
    ...kernelPrograms(host),
    'nvidia-smi': nvidiaSmi(host),
    'nvidia-persistenced': persistenced(host),
  };

  const bare = (): readonly Named[] => [...TOOL_FILES, NULL];
  const ofHost = () => [...TOOL_FILES, ...chroots, ...kernel, ...kernelFiles(host)];
  const withDriver = () => [...ofHost(), ...nvidia, ...persistencedFiles(host)];
  // The driver's container binds its root there without /sys, which is not bindable.
  const inDriver = () => [...withDriver(), ...pciFiles(host), ...mounted(DRIVER_ROOT, withDriver())];
  const onHost = () => [
    ...(driver === 'host' ? withDriver() : ofHost()),
    ...pciFiles(host),
    ...(driver === 'container' ? mounted(DRIVER_ROOT, withDriver()) : []),
  ];
  const inAgent = () => [...bare(), ...chroots, ...mounted(HOST_ROOT, onHost())];

  const shell = (files: () => Iterable<Named>, programs: Programs, roots: ReadonlyMap<string, Shell>) =>
    new Shell(cached(host, files), { ...programs, chroot: chroot(roots) });
  const driverRoot = shell(withDriver, all, NO_ROOTS);
  const driverRoots = driver === 'container' ? new Map([[DRIVER_ROOT, driverRoot]]) : NO_ROOTS;
  return {
    hostRoot: shell(inAgent, common, new Map([[HOST_ROOT, shell(onHost, all, driverRoots)]])),
    driverRoot: driver === 'container' ? shell(inDriver, all, driverRoots) : shell(bare, common, NO_ROOTS),
    nothing: shell(bare, common, NO_ROOTS),
  };
}

type Programs = Readonly<Record<string, Program>>;

const NO_ROOTS: ReadonlyMap<string, Shell> = new Map();
const NULL: Named = ['/dev/null', { tag: 'file', text: '', write: () => undefined }];
const TOOL_FILES: readonly Named[] = [
  ...TOOLS.map((name): Named => [`/usr/bin/${name}`, { tag: 'file', text: '', executable: true }]),
  ...['sleep', 'kill'].flatMap((name) => programFiles(`/usr/bin/${name}`, name)),
  ...['/bin/sh', '/bin/echo', '/bin/cat'].map((path): Named => [path, { tag: 'file', text: '', executable: true }]),
  ...['/tmp', '/run'].map((path): Named => [path, { tag: 'folder' }]),
  ['/var/run', { tag: 'link', target: '/run' }],
];

/** The files, made anew when the host has changed. */
function cached(host: Host, files: () => Iterable<Named>): () => Entries {
  let made = { revision: -1, entries: withFolders([]) };
  return () => {
    if (made.revision !== host.revision) made = { revision: host.revision, entries: withFolders(files()) };
    return made.entries;
  };
}
