import type { Clock } from '@cro/clock';
import type { ContainerView } from './container-view.ts';
import { mounted, withFolders, type Entries, type Entry } from './files/entry.ts';
import { hostFiles } from './files/host-files.ts';
import type { Host } from './host/host.ts';
import { nvidiaSmi } from './nvidia-smi/nvidia-smi.ts';
import { chroot } from './programs/chroot.ts';
import { kernelPrograms } from './programs/kernel-programs.ts';
import { kill } from './programs/kill.ts';
import type { Program } from './programs/program.ts';
import { sleep } from './programs/sleep.ts';
import { programFiles, Shell, TOOLS } from './shell.ts';

const HOST_ROOT = '/host-root';
const DRIVER_ROOT = '/run/nvidia/driver';
const CHROOT_PATHS = ['/usr/sbin/chroot', '/bin/chroot'];

type Named = readonly [string, Entry];

/** The roots in which a host's commands run. */
export function rootsOf(host: Host, clock: Clock): Readonly<Record<ContainerView, Shell>> {
  const { driver, spec } = host;
  const shells: { host?: Shell; driver?: Shell } = {};
  const chroots = (spec.chrootPaths ?? CHROOT_PATHS).flatMap((path) => programFiles(path, 'chroot'));
  const kernel = ['lsmod', 'modprobe', 'modinfo'].flatMap((name) => programFiles(`/usr/sbin/${name}`, name));
  const smi = programFiles('/usr/bin/nvidia-smi', 'nvidia-smi');
  const common = { sleep: sleep(clock), kill: kill(host) };
  const all = { ...common, ...kernelPrograms(host), 'nvidia-smi': nvidiaSmi(host) };

  const ofDriver = () => [...TOOL_FILES, ...chroots, ...kernel, ...smi, ...hostFiles(host)];
  const inDriver = () => [...ofDriver(), ...mounted(DRIVER_ROOT, new Map(ofDriver()))];
  const onHost = (): readonly Named[] => [
    ...[...TOOL_FILES, ...chroots, ...kernel, ...hostFiles(host)],
    ...(driver === 'host' ? smi : []),
    ...(driver === 'container' ? mounted(DRIVER_ROOT, new Map(ofDriver())) : []),
  ];
  const inAgent = () => [...TOOL_FILES, ...chroots, NULL, ...mounted(HOST_ROOT, new Map(onHost()))];

  const shell = (files: () => Iterable<Named>, programs: Readonly<Record<string, Program>>, roots: Roots) =>
    new Shell(cached(host, files), { ...programs, chroot: chroot(roots) });
  shells.driver = shell(inDriver, all, () => rootMap(DRIVER_ROOT, shells.driver));
  shells.host = shell(onHost, all, () => rootMap(DRIVER_ROOT, driver === 'container' ? shells.driver : undefined));
  return {
    hostRoot: shell(inAgent, common, () => rootMap(HOST_ROOT, shells.host)),
    driverRoot: driver === 'container' ? shells.driver : shell(bare, common, NO_ROOTS),
    nothing: shell(bare, common, NO_ROOTS),
  };
}

type Roots = () => ReadonlyMap<string, Shell>;

const NO_ROOTS: Roots = () => new Map();
const NULL: Named = ['/dev/null', { tag: 'file', text: '', write: () => undefined }];
const TOOL_FILES: readonly Named[] = [
  ...TOOLS.map((name): Named => [`/usr/bin/${name}`, { tag: 'file', text: '', executable: true }]),
  ...['sleep', 'kill'].flatMap((name) => programFiles(`/usr/bin/${name}`, name)),
  ...['/bin/sh', '/bin/echo', '/bin/cat'].map((path): Named => [path, { tag: 'file', text: '', executable: true }]),
  ['/tmp', { tag: 'folder' }],
];

function bare(): readonly Named[] {
  return [...TOOL_FILES, NULL];
}

function rootMap(path: string, shell: Shell | undefined): ReadonlyMap<string, Shell> {
  return new Map(shell === undefined ? [] : [[path, shell]]);
}

/** The files, made anew when the host has changed. */
function cached(host: Host, files: () => Iterable<Named>): () => Entries {
  let made = { revision: -1, entries: withFolders([]) };
  return () => {
    if (made.revision !== host.revision) made = { revision: host.revision, entries: withFolders(files()) };
    return made.entries;
  };
}
