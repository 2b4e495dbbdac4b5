import type { LoadOutcome } from '../outcomes.ts';
import { listGpus, readLoad } from './commands.ts';
import { findGpu } from './find-gpu.ts';
import type { Holder } from './parse/holders.ts';
import type { DriverGpu } from './parse/information.ts';
import { readLoad as parseLoad, type Load, type Look } from './parse/looks.ts';
import type { GpuUuid } from './patterns.ts';
import type { Failed, Session } from './session.ts';

/** The persistence daemon, as the kernel cuts its name: it lets go of a GPU in the drain. */
const PERSISTENCED = 'nvidia-persiste';
/** Users that are named; of more only the number. */
const MOST_NAMED = 3;

/** Who uses the GPUs of a node, as it was read at one moment. */
export interface NodeLoad {
  readonly tag: 'read';
  readonly look: Look;
  /** Who uses one of them. */
  readonly of: (uuid: GpuUuid) => LoadOutcome;
}

/** Asks the node who uses its GPUs: compute processes, and whoever has a device file open. `asked` says about which, when they have been read. */
export async function readLoadOn(session: Session, asked: () => readonly GpuUuid[]): Promise<NodeLoad | Failed> {
  const command = readLoad(session.place);
  let read = await session.read(command, parseLoad);
  if (read.tag === 'read' && hasUntold(read.value, asked())) {
    const listed = await session.run(listGpus(session.place));
    if (listed.tag === 'failed') return listed;
    read = await session.read(command, parseLoad);
  }
  if (read.tag === 'failed') return read;
  const load = read.value;
  return {
    tag: 'read',
    look: load,
    of: (uuid) => {
      const found = findGpu(load.gpus, uuid);
      switch (found.tag) {
        case 'absent':
          return { tag: 'idle' };
        case 'untold':
          return session.failed(command, 'Blocked', untoldWords(found.address, uuid));
        case 'there':
          return loadOf(found.gpu, uuid, load);
      }
    },
  };
}

function hasUntold({ gpus }: Look, uuids: readonly GpuUuid[]): boolean {
  return uuids.some((uuid) => findGpu(gpus, uuid).tag === 'untold');
}

/** Why nobody can say whether a GPU is there. */
export function untoldWords(address: string, uuid: GpuUuid): string {
  const id = uuid.toString();
  return `${id} is not among the GPUs that the driver tells of, and it cannot initialise the one at ${address}, which may be it. See the kernel log of the node; with spec.force_detach it is taken for another one`;
}

/** The processes that have the device file of a GPU open. */
export function holdersOf({ minor }: DriverGpu, holders: readonly Holder[]): readonly string[] {
  return holders.filter((holder) => holder.minor === minor).map(({ pid, name }) => `process ${pid} (${name})`);
}

/** Those of them that a drain does not make let go. */
export function withoutPersistenced(holders: readonly Holder[]): readonly Holder[] {
  return holders.filter(({ name }) => name !== PERSISTENCED);
}

/** Names those who use something, the first few of them. */
export function named(users: readonly string[]): string {
  const unique = [...new Set(users)];
  const rest = unique.length - MOST_NAMED;
  return unique.slice(0, MOST_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

function loadOf(gpu: DriverGpu, uuid: GpuUuid, { apps, holders }: Load): LoadOutcome {
  const computing = apps.filter((app) => app.gpu.equals(uuid));
  const pids = new Set(computing.map(({ pid }) => pid));
  const others = withoutPersistenced(holders).filter(({ pid }) => !pids.has(pid));
  const users = [
    ...computing.map(({ pid, name }) => (pid === undefined ? `process ${name}` : `process ${pid} (${name})`)),
    ...holdersOf(gpu, others),
  ];
  return users.length === 0 ? { tag: 'idle' } : { tag: 'inUse', by: named(users) };
}
