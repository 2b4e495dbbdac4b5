import { cleanText, type CallContext, type DetachRequest, type Subject } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';
import { deviceIdOf } from '../redfish/uri.ts';
import type { Layout } from '../tree/root.ts';
import { blocksIn, readSystem, readSystems, systemUri } from '../tree/systems.ts';
import type { World } from '../world.ts';
import { ownConnections, usesConnections, type OwnConnection } from './own-connections.ts';
import { blockNotes, methodOf } from './method.ts';
import type { ByConnection, Notes } from './notes.ts';

/** A device that is to leave its machine, or why there is none to leave. */
export type Found =
  | { readonly tag: 'found'; readonly subject: Subject<Notes> }
  | { readonly tag: 'gone' }
  | { readonly tag: 'failed'; readonly failure: Failure };

/** Finds a device on its machine. One that is on another machine is a conflict, and nothing is touched. */
export async function findDevice(world: World, request: DetachRequest, context: CallContext): Promise<Found> {
  const layout = await world.layouts.read(context);
  if (layout.tag === 'failed') return layout;
  const block = await findBlock(world, layout.value, request, context);
  if (block.tag !== 'gone') return block;
  return findConnection(world, layout.value, request, context);
}

async function findBlock(world: World, layout: Layout, request: DetachRequest, context: CallContext): Promise<Found> {
  const { machine } = request;
  const read = await readSystem(world.service, layout, machine, context);
  if (read.tag === 'failed') return read;
  const uri = systemUri(layout, machine);
  const blocks = read.tag === 'ok' ? blocksIn(read.value) : [];
  for (const block of blocks) {
    const id = deviceIdOf(block);
    if (id === undefined || !(await isNamed(world, request, id, block, context))) continue;
    if (read.tag !== 'ok') continue;
    // A device that is in a list of blocks leaves by it, whatever is wished for new ones.
    const notes = blockNotes(methodOf(read.value, uri, layout, 'auto'), uri, block);
    if (notes !== undefined) return { tag: 'found', subject: { cdiDeviceId: id, notes } };
  }
  return layout.blocks === undefined ? { tag: 'gone' } : onOtherSystem(world, layout, request, context);
}

/** By the fabric's id; by the node's only where no other is known: for that the block has to be read. */
async function isNamed(
  world: World,
  { device }: DetachRequest,
  id: string,
  block: string,
  context: CallContext,
): Promise<boolean> {
  if (device.cdiDeviceId) return device.cdiDeviceId === id;
  const read = await world.blocks.read(block, context);
  const uuid = read.tag === 'ok' ? read.value.gpu?.hints.uuid : undefined;
  return uuid !== undefined && device.deviceId?.toLowerCase() === `gpu-${uuid}`;
}

async function onOtherSystem(
  world: World,
  layout: Layout,
  request: DetachRequest,
  context: CallContext,
): Promise<Found> {
  const { cdiDeviceId } = request.device;
  if (!cdiDeviceId) return { tag: 'gone' };
  const systems = await readSystems(world.service, layout, context);
  if (systems.tag === 'failed') return systems;
  // A system that cannot be read hides a conflict at most: the device is not on the machine that it is to leave.
  const other = systems.systems.find(
    ({ machine, read }) =>
      machine !== request.machine &&
      read.tag === 'ok' &&
      blocksIn(read.value).some((block) => deviceIdOf(block) === cdiDeviceId),
  );
  return other === undefined ? { tag: 'gone' } : conflict(cdiDeviceId, other.machine, request.machine);
}

function conflict(device: string, present: string, asked: string): Found {
  const message = `device '${cleanText(device)}' is on machine '${present}' now and not on '${asked}': it is left alone`;
  return { tag: 'failed', failure: { kind: 'Conflict', message } };
}

async function findConnection(
  world: World,
  layout: Layout,
  request: DetachRequest,
  context: CallContext,
): Promise<Found> {
  if (!(await usesConnections(world, layout, request.machine, context))) return { tag: 'gone' };
  const read = await ownConnections(world, layout, context);
  if (read.tag === 'failed') return read;
  const { cdiDeviceId, deviceId } = request.device;
  const found = read.connections.find(({ id, deviceId: own }) =>
    cdiDeviceId ? id === cdiDeviceId : own !== undefined && own === deviceId?.toLowerCase(),
  );
  if (found === undefined) return { tag: 'gone' };
  const { unread } = found.fabric;
  if (found.machine === undefined && unread !== undefined) return { tag: 'failed', failure: unread };
  if (found.machine !== request.machine) return conflict(found.id, found.machine ?? 'unknown', request.machine);
  return { tag: 'found', subject: { cdiDeviceId: found.id, notes: notesOf(found) } };
}

function notesOf({ name, uri, fabric, initiator, target, chunk }: OwnConnection): ByConnection {
  return {
    method: 'connection',
    name,
    fabric: fabric.uri,
    connections: fabric.connectionsUri,
    isSunfish: fabric.isSunfish,
    initiator,
    target,
    uri,
    ...(chunk === undefined ? {} : { chunk, memory: { chunks: chunk.slice(0, chunk.lastIndexOf('/')), sizeMiB: 1 } }),
  };
}
