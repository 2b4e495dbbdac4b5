import type { AttachedDevice, CallContext, GoalLook, OperationTarget, Submitted } from '@cro/cdi-core';
import type { Changed } from '../redfish/changed.ts';
import { lastSegment } from '../redfish/uri.ts';
import { decode, type System } from '../redfish/wire.ts';
import { healthOf } from '../tree/health.ts';
import { blocksIn } from '../tree/systems.ts';
import type { World } from '../world.ts';
import type { ByAction, ByPatch } from './notes.ts';

type Target = OperationTarget<ByAction | ByPatch>;

/** Times that a change is planned anew because the system has changed meanwhile. */
const MOST_PLANS = 3;

/** Puts a block into its system, or takes it out. Asking twice for the same block is harmless. */
export async function submitBlock(world: World, target: Target, context: CallContext): Promise<Submitted> {
  const changed = await (target.notes.method === 'action'
    ? act(world, target, target.notes, context)
    : patch(world, target, target.notes, context));
  switch (changed.tag) {
    case 'already':
    case 'done':
      return shown(world, target, context);
    case 'accepted':
      return changed;
    case 'gone':
    case 'refused':
      if (target.op === 'attach') world.reservations.refuse(target.machine, target.cdiDeviceId, changed.failure);
      return { tag: 'refused', failure: changed.failure };
    case 'unclear':
      return { tag: 'inDoubt', failure: changed.failure };
    default:
      return changed satisfies never;
  }
}

/** A success of the service counts when its system shows it. */
async function shown(world: World, target: Target, context: CallContext): Promise<Submitted> {
  const look = await lookBlock(world, target, context);
  if (look.tag !== 'reached') return { tag: 'accepted' };
  return { tag: 'done', ...(look.device === undefined ? {} : { device: look.device }) };
}

type Outcome = Changed | { readonly tag: 'already' };

async function act(world: World, { op }: Target, notes: ByAction, context: CallContext): Promise<Outcome> {
  const uri = op === 'attach' ? notes.add : notes.remove;
  const body = { ResourceBlock: { '@odata.id': notes.block } };
  return world.service.change({ method: 'POST', uri, body }, context);
}

async function patch(world: World, { op }: Target, notes: ByPatch, context: CallContext): Promise<Outcome> {
  for (let plan = 1; ; plan += 1) {
    const read = await world.service.get(notes.system, decode.system, context);
    // Nothing has been asked for yet.
    if (read.tag !== 'ok') return { tag: 'refused', status: undefined, failure: read.failure };
    if (blocksIn(read.value).includes(notes.block) === (op === 'attach')) return { tag: 'already' };
    const etag = read.etag ?? read.value['@odata.etag'];
    const body = bodyOf(read.value, op, notes);
    const changed = await world.service.change({ method: 'PATCH', uri: notes.system, body, etag }, context);
    const isOutdated = changed.tag === 'refused' && changed.status === 412;
    if (!isOutdated || plan === MOST_PLANS) return changed;
  }
}

/**
 * The whole list of blocks, nobody else's left out. The Sunfish server replaces all links by those that it is sent and needs to be
 * told whose object it is; any other service gets the list alone.
 */
function bodyOf(system: System, op: Target['op'], { block, system: uri }: ByPatch): unknown {
  const present = system.Links?.ResourceBlocks ?? [];
  const list =
    op === 'attach' ? [...present, { '@odata.id': block }] : present.filter((item) => referenceOf(item) !== block);
  if (system.Oem?.Sunfish_RM === undefined) return { Links: { ResourceBlocks: list } };
  return {
    '@odata.id': uri,
    Id: system.Id ?? lastSegment(uri),
    Links: { ...system.Links, ResourceBlocks: list },
    Oem: system.Oem,
  };
}

function referenceOf(item: unknown): string | undefined {
  const reference = decode.ref(item);
  return reference.tag === 'ok' ? reference.object['@odata.id'] : undefined;
}

/** Looks whether the system lists the block. */
export async function lookBlock(world: World, target: Target, context: CallContext): Promise<GoalLook> {
  const { system, block } = target.notes;
  const read = await world.service.get(system, decode.system, context);
  if (read.tag !== 'ok') return { tag: 'failed', failure: read.failure };
  const isListed = blocksIn(read.value).includes(block);
  if (target.op === 'detach') return { tag: isListed ? 'notReached' : 'reached' };
  if (!isListed) return { tag: 'notReached' };
  return { tag: 'reached', device: await deviceOf(world, target, context) };
}

async function deviceOf(world: World, target: Target, context: CallContext): Promise<AttachedDevice> {
  const { cdiDeviceId, hints } = target;
  const read = await world.blocks.read(target.notes.block, context);
  const status = read.tag === 'ok' ? read.value.block.Status : undefined;
  const health = healthOf(`gpu '${cdiDeviceId}'`, status);
  return { cdiDeviceId, health, ...(hints === undefined ? {} : { hints }) };
}
