import type { CallContext, OperationTarget, Submitted } from '@cro/cdi-core';
import type { Changed } from '../redfish/changed.ts';
import { decode } from '../redfish/wire.ts';
import type { World } from '../world.ts';
import { dropChunk } from './chunks.ts';
import type { ByConnection } from './notes.ts';

type Target = OperationTarget<ByConnection>;

/**
 * Ends a connection, and gives its chunk back. Where the Sunfish server falls over and shows the connection still, it is asked once
 * more: it may have let its agent delete it and then stumbled over the agent's answer, or broken off where its agent refused.
 */
export async function disconnect(world: World, target: Target, context: CallContext): Promise<Submitted> {
  const uri = connectionUri(target);
  const first = await world.service.change({ method: 'DELETE', uri }, context);
  if (first.tag !== 'unclear') return conclude(world, target, first, context);
  // Anywhere else the request may still be under way: whoever resumes the ticket sees whether it has arrived.
  if (!target.notes.isSunfish) return { tag: 'inDoubt', failure: first.failure };
  const after = await world.service.get(uri, decode.connection, context);
  if (after.tag === 'failed') return { tag: 'inDoubt', failure: first.failure };
  if (after.tag === 'absent') return dropOwnChunk(world, target, context);
  const second = await world.service.change({ method: 'DELETE', uri }, context);
  if (second.tag !== 'unclear') return conclude(world, target, second, context);
  const last = await world.service.get(uri, decode.connection, context);
  if (last.tag === 'absent') return dropOwnChunk(world, target, context);
  return second.status === undefined ? ghost(uri) : { tag: 'inDoubt', failure: second.failure };
}

/** Where the connection of a target is: under its own name, unless it was found elsewhere. */
function connectionUri({ notes }: Target): string {
  return notes.uri ?? `${notes.connections}/${notes.name}`;
}

/** The connection was closed without an answer: the agent refused, and it refuses to delete what it does not have. */
function ghost(uri: string): Submitted {
  const message =
    `${uri}: the manager lists this connection and cannot delete it: it seems to be a ghost that its agent has deleted already. ` +
    'Take it out of the manager by hand (delete its file, or have the agent upload its tree anew), then this goes on by itself';
  return { tag: 'inDoubt', failure: { kind: 'Blocked', message } };
}

async function conclude(
  world: World,
  target: Target,
  changed: Exclude<Changed, { tag: 'unclear' }>,
  context: CallContext,
): Promise<Submitted> {
  switch (changed.tag) {
    case 'done':
      return shownGone(world, target, context);
    case 'gone':
      return dropOwnChunk(world, target, context);
    case 'accepted':
      return changed;
    case 'refused':
      return { tag: 'refused', failure: changed.failure };
    default:
      return changed satisfies never;
  }
}

/** A success counts when the service does not show the connection any more: until then whoever resumes the ticket looks. */
async function shownGone(world: World, target: Target, context: CallContext): Promise<Submitted> {
  const after = await world.service.get(connectionUri(target), decode.connection, context);
  return after.tag === 'absent' ? dropOwnChunk(world, target, context) : { tag: 'accepted' };
}

async function dropOwnChunk(world: World, { notes }: Target, context: CallContext): Promise<Submitted> {
  if (notes.memory === undefined) return { tag: 'done' };
  const dropped = await dropChunk(world, notes.chunk ?? `${notes.memory.chunks}/${notes.name}`, context);
  return dropped.tag === 'done' ? { tag: 'done' } : { tag: 'inDoubt', failure: dropped.failure };
}
