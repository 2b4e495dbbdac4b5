import type { CallContext, GoalLook, OperationTarget } from '@cro/cdi-core';
import { decode } from '../redfish/wire.ts';
import { targetsOf } from '../tree/fabrics.ts';
import { findNamed } from '../tree/named.ts';
import type { World } from '../world.ts';
import { dropChunk } from './chunks.ts';
import { connectTo } from './connect.ts';
import { connectedDevice } from './connected-device.ts';
import { chunkPlace, connectionPlace, type ByConnection } from './notes.ts';

type Target = OperationTarget<ByConnection>;

/** Looks what became of a connection, and ends what was begun: a chunk without its connection is half an operation. */
export async function lookConnection(world: World, target: Target, context: CallContext): Promise<GoalLook> {
  const found = await findNamed(world.service, connectionPlace(target.notes), decode.connection, context);
  if (found.tag === 'failed') return found;
  const connection = found.tag === 'ok' ? found.value.value : undefined;
  if (target.op === 'detach')
    return connection === undefined ? lookGone(world, target, context) : { tag: 'notReached' };
  if (connection === undefined) return lookBegun(world, target, context);
  if (!targetsOf(connection).includes(target.notes.target)) {
    const message = `connection '${target.notes.name}' leads to another endpoint than ${target.notes.target}: it is left alone`;
    return { tag: 'refused', failure: { kind: 'Conflict', message } };
  }
  return { tag: 'reached', device: await connectedDevice(world, target, connection, context) };
}

async function lookGone(world: World, target: Target, context: CallContext): Promise<GoalLook> {
  const chunk = await findChunk(world, target, context);
  if (chunk.tag !== 'chunk') return chunk.tag === 'none' ? { tag: 'reached' } : chunk;
  const dropped = await dropChunk(world, chunk.uri, context);
  return dropped.tag === 'done' ? { tag: 'reached' } : dropped;
}

/** The chunk shows that the ticket was started; the connection under its name is asked for again. */
async function lookBegun(world: World, target: Target, context: CallContext): Promise<GoalLook> {
  const chunk = await findChunk(world, target, context);
  if (chunk.tag !== 'chunk') return chunk.tag === 'none' ? { tag: 'notReached' } : chunk;
  const submitted = await connectTo(world, target, chunk.uri, context);
  switch (submitted.tag) {
    case 'done':
      return { tag: 'reached', ...(submitted.device === undefined ? {} : { device: submitted.device }) };
    case 'accepted':
      return { tag: 'working' };
    case 'refused':
      return { tag: 'refused', failure: submitted.failure };
    case 'inDoubt':
      return { tag: 'failed', failure: submitted.failure };
    default:
      return submitted satisfies never;
  }
}

async function findChunk(
  world: World,
  { notes }: Target,
  context: CallContext,
): Promise<
  { readonly tag: 'chunk'; readonly uri: string } | { readonly tag: 'none' } | Extract<GoalLook, { tag: 'failed' }>
> {
  if (notes.memory === undefined) return { tag: 'none' };
  const found = await findNamed(world.service, chunkPlace(notes, notes.memory.chunks), decode.chunk, context);
  if (found.tag === 'failed') return found;
  return found.tag === 'ok' ? { tag: 'chunk', uri: found.value.uri } : { tag: 'none' };
}
