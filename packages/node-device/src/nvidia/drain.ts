import type { NodeOutcome } from '../outcomes.ts';
import { listGpus, MODULES_IN_THE_WAY, quiesce, remove, type QuiesceMode, type Removal } from './commands.ts';
import { findGpu } from './find-gpu.ts';
import { holdersOf, named, untoldWords, withoutPersistenced } from './load.ts';
import { saysNoDevices } from './parse/csv.ts';
import type { DriverGpu } from './parse/information.ts';
import { readQuiesced, readRemoved, type Look, type Quiesced, type Removed } from './parse/looks.ts';
import type { GpuUuid } from './patterns.ts';
import type { Failed, Session } from './session.ts';

const DONE: NodeOutcome = { tag: 'done' };
const DRAINING = { doing: 'draining the GPU' };

type QuiescedRead = { readonly tag: 'read'; readonly value: Quiesced } | Failed;

/** What one drain is about. */
interface Drain {
  readonly session: Session;
  readonly uuid: GpuUuid;
  /** Skips the question who has the GPU open. */
  readonly force: boolean;
  /** Told each time what the driver has. */
  readonly onLook: (look: Look) => void;
}

/**
 * Takes a GPU off its node in order: nobody has it open (unless `force`), persistence off, drain state, device file, removal. One
 * that processes have open is left as it is. Where it was interrupted before, what is done is seen and not minded. That it is gone is
 * decided on a fresh look.
 */
export async function drainGpu(drain: Drain): Promise<NodeOutcome> {
  const { session, uuid, force } = drain;
  const before = await prepared(drain);
  if (before.tag === 'failed') return before;
  const found = findGpu(before.value.gpus, uuid);
  switch (found.tag) {
    case 'absent':
      return DONE;
    case 'untold':
      // What was never initialised nobody has open.
      return force ? DONE : session.failed(DRAINING, 'Blocked', untoldWords(found.address, uuid));
    case 'there':
      return takeOff(drain, found.gpu, before.value);
  }
}

/** Only an initialised GPU can be told from others. */
async function prepared(drain: Drain): Promise<QuiescedRead> {
  const { session, uuid } = drain;
  const read = await quiesced(drain, 'unlessOpen');
  if (read.tag === 'failed' || findGpu(read.value.gpus, uuid).tag !== 'untold') return read;
  const listed = await session.run(listGpus(session.place));
  return listed.tag === 'failed' ? listed : quiesced(drain, 'unlessOpen');
}

async function quiesced({ session, uuid, onLook }: Drain, mode: QuiesceMode): Promise<QuiescedRead> {
  const read = await session.read(quiesce(session.place, uuid, mode), readQuiesced);
  if (read.tag === 'read') onLook(read.value);
  return read;
}

async function takeOff(drain: Drain, gpu: DriverGpu, first: Quiesced): Promise<NodeOutcome> {
  const { session, uuid } = drain;
  const { minor, address } = gpu;
  if (minor === undefined) return noMinor(session, gpu);
  const isLast = session.place.driver === 'host' && first.gpus.length === 1;
  const byKernel = first.virtual || isLast;
  // The kernel would wait for open handles for ever; drivers from 595 on do not recover from that. The driver itself refuses.
  const mayBeOpen = drain.force && !byKernel;
  const again = mayBeOpen && first.mode === undefined ? await quiesced(drain, 'anyway') : undefined;
  if (again?.tag === 'failed') return again;
  const before = again?.value ?? first;
  const problem = problemOf(session, gpu, before, mayBeOpen);
  if (problem !== undefined) return problem;
  return removed(drain, {
    ...{ uuid, address, minor },
    isDraining: before.state === 'draining',
    modules: isLast ? MODULES_IN_THE_WAY.filter((module) => before.modules.includes(module)) : [],
    by: byKernel ? 'kernel' : 'nvidia-smi',
  });
}

function noMinor(session: Session, { address }: DriverGpu): Failed {
  const why = `the driver does not say the Device Minor of ${address.inKernel}; it has to be of version 390 or later`;
  return session.failed(DRAINING, 'Blocked', why);
}

/** Whatever the steps said: it is done when the driver does not have the GPU any more. */
async function removed({ session, onLook }: Drain, removal: Removal): Promise<NodeOutcome> {
  const read = await session.read(remove(session.place, removal), readRemoved);
  if (read.tag === 'failed') return read;
  onLook(read.value);
  const { address } = removal;
  if (!read.value.gpus.some((gpu) => gpu.address.equals(address))) return DONE;
  return stillThere(session, removal, read.value);
}

function stillThere(session: Session, { address, minor, modules }: Removal, { last }: Removed): Failed {
  if (last === undefined || (last.said.code === 0 && last.step !== 'remove')) {
    return session.failed(DRAINING, 'Busy', `${address.inKernel} is the address of another GPU by now`);
  }
  const { step, said } = last;
  const doing = {
    start: 'setting the drain state',
    unlink: `removing /dev/nvidia${minor}`,
    unload: `unloading ${modules.join(' and ')}`,
    remove: 'removing the GPU from the driver',
  }[step];
  const words = said.lines.length === 0 ? 'it said nothing' : said.lines.join(' ');
  const how = step === 'remove' ? 'the driver still has it: ' : '';
  return session.failed({ doing }, 'Busy', `${how}exit code ${said.code}, ${words}`);
}

/** Why a GPU must not be removed now. */
function problemOf(
  session: Session,
  gpu: DriverGpu,
  { state, mode, holders, removing }: Quiesced,
  mayBeOpen: boolean,
): Failed | undefined {
  if (removing.length > 0) {
    const why = `process ${removing.join(', ')} still waits until the kernel has removed it: ${heldWords(gpu, holders)}`;
    return session.failed(DRAINING, 'Busy', why);
  }
  // The persistence daemon would have let go, had it been asked to.
  const inTheWay = mayBeOpen ? [] : holdersOf(gpu, mode === undefined ? withoutPersistenced(holders) : holders);
  if (inTheWay.length > 0) {
    return session.failed(DRAINING, 'Busy', `/dev/nvidia${gpu.minor} is open in ${named(inTheWay)}`);
  }
  if (mode === undefined) {
    return session.failed(DRAINING, 'Busy', `/dev/nvidia${gpu.minor} was open a moment ago`);
  }
  // A draining GPU is hidden from NVML.
  if (mode.code === 0 || state === 'draining' || saysNoDevices(mode)) return undefined;
  return session.failed(
    { doing: 'switching the persistence mode off' },
    'Blocked',
    `exit code ${mode.code}, ${mode.lines.join(' ')}`,
  );
}

function heldWords(gpu: DriverGpu, holders: Quiesced['holders']): string {
  const by = holdersOf(gpu, holders);
  return by.length === 0 ? 'look at the kernel log of the node' : `end ${named(by)}`;
}
