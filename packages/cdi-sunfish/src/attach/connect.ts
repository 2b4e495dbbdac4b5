import type { CallContext, OperationTarget, Submitted } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';
import type { Changed } from '../redfish/changed.ts';
import { decode } from '../redfish/wire.ts';
import { targetsOf } from '../tree/fabrics.ts';
import { findNamed } from '../tree/named.ts';
import type { World } from '../world.ts';
import { dropChunk, ensureChunk } from './chunks.ts';
import { connectedDevice } from './connected-device.ts';
import { connectionPlace, type ByConnection } from './notes.ts';

type Target = OperationTarget<ByConnection>;

/**
 * Makes a connection, and before it the chunk that it brings. Both have names of their own, so that asking twice is harmless
 * and whoever comes after a crash finds them.
 */
export async function connect(world: World, target: Target, context: CallContext): Promise<Submitted> {
  // A POST below something that is not there is no error to the Sunfish server: it invents what is missing.
  const fabric = await world.service.get(target.notes.fabric, decode.fabric, context);
  if (fabric.tag !== 'ok') return { tag: 'refused', failure: fabric.failure };
  const { memory } = target.notes;
  if (memory === undefined) return connectTo(world, target, undefined, context);
  const chunk = await ensureChunk(world, target, memory, context);
  return chunk.tag === 'ready' ? connectTo(world, target, chunk.uri, context) : chunk;
}

/** Makes the connection itself. One that is refused for good takes its chunk back with it. */
export async function connectTo(
  world: World,
  target: Target,
  chunk: string | undefined,
  context: CallContext,
): Promise<Submitted> {
  const { connections: uri } = target.notes;
  const changed = await world.service.change({ method: 'POST', uri, body: bodyOf(target, chunk) }, context);
  switch (changed.tag) {
    case 'done':
      return shown(world, target, context);
    case 'accepted':
      return changed;
    case 'unclear':
      return { tag: 'inDoubt', failure: changed.failure };
    case 'gone':
      return giveUp(world, target, chunk, changed.failure, context);
    case 'refused':
      return changed.status === 409
        ? takenName(world, target, chunk, changed, context)
        : giveUp(world, target, chunk, changed.failure, context);
    default:
      return changed satisfies never;
  }
}

async function shown(world: World, target: Target, context: CallContext): Promise<Submitted> {
  const found = await findNamed(world.service, connectionPlace(target.notes), decode.connection, context);
  if (found.tag !== 'ok') return { tag: 'accepted' };
  return { tag: 'done', device: await connectedDevice(world, target, found.value.value, context) };
}

/** 409: an earlier try of ours made it; or somebody else has the endpoint, and nothing was made. */
async function takenName(
  world: World,
  target: Target,
  chunk: string | undefined,
  { failure }: Extract<Changed, { tag: 'refused' }>,
  context: CallContext,
): Promise<Submitted> {
  const found = await findNamed(world.service, connectionPlace(target.notes), decode.connection, context);
  if (found.tag === 'failed') return { tag: 'inDoubt', failure: { kind: 'InDoubt', message: found.failure.message } };
  if (found.tag === 'absent') return giveUp(world, target, chunk, { ...failure, kind: 'Busy' }, context);
  const { value: connection } = found.value;
  if (targetsOf(connection).includes(target.notes.target)) {
    return { tag: 'done', device: await connectedDevice(world, target, connection, context) };
  }
  const message = `connection '${target.notes.name}' leads to another endpoint than ${target.notes.target}: it is left alone`;
  return { tag: 'refused', failure: { kind: 'Conflict', message } };
}

async function giveUp(
  world: World,
  target: Target,
  chunk: string | undefined,
  failure: Failure,
  context: CallContext,
): Promise<Submitted> {
  const dropped = chunk === undefined ? undefined : await dropChunk(world, chunk, context);
  // While the chunk is there the operation is not over: whoever resumes it drops it.
  if (dropped?.tag === 'failed') return { tag: 'inDoubt', failure: dropped.failure };
  if (chunk === undefined) world.reservations.refuse(target.machine, target.cdiDeviceId, failure);
  return { tag: 'refused', failure };
}

function bodyOf({ type, model, notes }: Target, chunk: string | undefined): unknown {
  const { name, connections, initiator, target, isSunfish } = notes;
  const memory = {
    ConnectionType: 'Memory',
    MemoryChunkInfo: [{ AccessCapabilities: ['Read', 'Write'], MemoryChunk: { '@odata.id': chunk } }],
  };
  return {
    '@odata.type': '#Connection.v1_1_0.Connection',
    ...(isSunfish ? { '@odata.id': `${connections}/${name}` } : {}),
    Id: name,
    Name: name,
    Description: `${type} ${model}`,
    Links: {
      InitiatorEndpoints: [{ '@odata.id': initiator }],
      TargetEndpoints: [{ '@odata.id': target }],
    },
    ...(chunk === undefined ? {} : memory),
  };
}
