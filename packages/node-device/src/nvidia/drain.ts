import type { NodeOutcome } from '../outcomes.ts';
import {
  listGpus,
  look,
  MODULES_IN_THE_WAY,
  quiesce,
  removeDeviceFile,
  removeFromBus,
  removeGpu,
  startDraining,
  unloadModule,
  type Command,
} from './commands.ts';
import { findGpu } from './find-gpu.ts';
import { holdersOf, named, untoldWords } from './load.ts';
import { saysNoDevices } from './parse/csv.ts';
import type { DriverGpu } from './parse/information.ts';
import { readLook, readQuiesced, type Look, type Quiesced } from './parse/looks.ts';
import type { GpuUuid } from './patterns.ts';
import type { Failed, Ran, Session } from './session.ts';

/** How a drain ended: what the driver has afterwards, or why it did not end well. */
export type Drained = { readonly tag: 'gone'; readonly look: Look } | Failed;

/**
 * Takes a GPU off its node in order: persistence off, nobody holds it (unless `force`), drain state, device file, removal. Where it
 * was interrupted before, what is done is seen and not minded. That it is gone is decided on a fresh look.
 */
export async function drainGpu(session: Session, uuid: GpuUuid, force: boolean): Promise<Drained> {
  const before = await prepared(session, uuid);
  if (before.tag === 'failed') return before;
  const found = findGpu(before.value.gpus, uuid);
  switch (found.tag) {
    case 'absent':
      return { tag: 'gone', look: before.value };
    case 'untold':
      // What was never initialised nobody has open.
      if (force) return { tag: 'gone', look: before.value };
      return session.failed(quiesce(session.place, uuid), 'Blocked', untoldWords(found.address, uuid));
    case 'there':
      return remove(session, uuid, found.gpu, before.value, force);
  }
}

/** Only an initialised GPU can be told from others. */
async function prepared(session: Session, uuid: GpuUuid) {
  const command = quiesce(session.place, uuid);
  const read = await session.read(command, readQuiesced);
  if (read.tag === 'failed' || findGpu(read.value.gpus, uuid).tag !== 'untold') return read;
  const listed = await session.run(listGpus(session.place));
  return listed.tag === 'failed' ? listed : session.read(command, readQuiesced);
}

async function remove(
  session: Session,
  uuid: GpuUuid,
  gpu: DriverGpu,
  before: Quiesced,
  force: boolean,
): Promise<Drained> {
  const byKernel = before.virtual || isLastOfHost(session.place.driver, before);
  // The kernel would wait for open handles for ever; drivers from 595 on do not recover from that. The driver itself refuses.
  const problem = problemOf(session, uuid, gpu, before, force && !byKernel);
  if (problem !== undefined) return problem;
  const { minor } = gpu;
  if (minor === undefined) return noMinor(session, gpu);
  if (before.state !== 'draining') {
    const drained = await done(session, startDraining(session.place, gpu.address));
    if (drained.tag === 'failed') return drained;
  }
  const unlinked = await done(session, removeDeviceFile(session.place, minor));
  if (unlinked.tag === 'failed') return unlinked;
  const unloaded = await unloadForTheLast(session, before);
  if (unloaded.tag === 'failed') return unloaded;
  const removal = byKernel ? removeFromBus(session.place, gpu.address) : removeGpu(session.place, gpu.address);
  return judged(session, gpu, removal, await session.run(removal));
}

function noMinor(session: Session, { address }: DriverGpu): Failed {
  const why = `the driver does not say the Device Minor of ${address.inKernel}; it has to be of version 390 or later`;
  return session.failed({ doing: 'draining the GPU' }, 'Blocked', why);
}

/** Whatever the removal said: it is done when the driver does not have the GPU any more. */
async function judged(session: Session, { address }: DriverGpu, removal: Command, ran: Ran): Promise<Drained> {
  const after = await session.read(look(session.place), readLook);
  if (after.tag === 'failed') return after;
  if (!after.value.gpus.some((gpu) => gpu.address.equals(address))) return { tag: 'gone', look: after.value };
  if (ran.tag === 'failed') return ran;
  return session.failed(removal, 'Busy', `the driver still has it: exit code ${ran.code}, ${ran.text}`);
}

function problemOf(
  session: Session,
  uuid: GpuUuid,
  gpu: DriverGpu,
  { state, mode, holders, removing }: Quiesced,
  force: boolean,
): Failed | undefined {
  const command = quiesce(session.place, uuid);
  // A draining GPU is hidden from NVML.
  const isOff = mode?.code === 0 || state === 'draining' || (mode !== undefined && saysNoDevices(mode));
  if (!isOff) {
    const said = mode === undefined ? 'it was not asked' : `exit code ${mode.code}, ${mode.lines.join(' ')}`;
    return session.failed(command, 'Blocked', said);
  }
  if (removing.length > 0) {
    const why = `process ${removing.join(', ')} still waits until the kernel has removed it: ${heldWords(gpu, holders)}`;
    return session.failed({ doing: 'draining the GPU' }, 'Busy', why);
  }
  const inTheWay = force ? [] : holdersOf(gpu, holders);
  if (inTheWay.length === 0) return undefined;
  return session.failed({ doing: 'draining the GPU' }, 'Busy', `/dev/nvidia${gpu.minor} is open in ${named(inTheWay)}`);
}

function heldWords(gpu: DriverGpu, holders: Quiesced['holders']): string {
  const by = holdersOf(gpu, holders);
  return by.length === 0 ? 'look at the kernel log of the node' : `end ${named(by)}`;
}

function isLastOfHost(driver: 'container' | 'host', { gpus }: Look): boolean {
  return driver === 'host' && gpus.length === 1;
}

async function unloadForTheLast(session: Session, before: Quiesced): Promise<NodeOutcome> {
  if (!isLastOfHost(session.place.driver, before)) return { tag: 'done' };
  for (const module of MODULES_IN_THE_WAY) {
    if (!before.modules.includes(module)) continue;
    const unloaded = await done(session, unloadModule(session.place, module));
    if (unloaded.tag === 'failed') return unloaded;
  }
  return { tag: 'done' };
}

/** Runs a command that has to succeed. */
async function done(session: Session, command: Command): Promise<NodeOutcome> {
  const ran = await session.run(command);
  if (ran.tag === 'failed') return ran;
  if (ran.code === 0) return { tag: 'done' };
  return session.failed(command, 'Busy', `exit code ${ran.code}, ${ran.text}`);
}
