import type { CallContext } from '@cro/cdi-core';
import type { DeviceType, Failure } from '@cro/crd-types';
import { deviceIdOf, isUri } from '../redfish/uri.ts';
import type { Connection } from '../redfish/wire.ts';
import { machineOf, targetsOf, type FabricRead } from '../tree/fabrics.ts';
import type { Gpu } from '../tree/gpu.ts';
import { ownNameOf } from '../tree/named.ts';
import type { Layout } from '../tree/root.ts';
import { readSystem, systemUri } from '../tree/systems.ts';
import type { World } from '../world.ts';
import { methodOf } from './method.ts';

/** A connection that this provider has made. */
export interface OwnConnection {
  readonly name: string;
  readonly uri: string;
  readonly fabric: FabricRead;
  readonly connection: Connection;
  readonly machine: string | undefined;
  readonly initiator: string;
  readonly target: string;
  /** URI of the chunk that it brings. */
  readonly chunk: string | undefined;
  readonly type: DeviceType;
  /** The device's id: the connection's name for memory, the endpoint's id for a GPU. */
  readonly id: string;
  /** For a GPU with a UUID: what the node would call it, in lower case. */
  readonly deviceId: string | undefined;
  readonly gpu: Gpu | undefined;
  /** URI of what is behind the device's endpoint. */
  readonly entity: string | undefined;
}

/** Whether connections have to be looked at for a machine: it has no blocks, or memory may be attached. One that cannot be read may have any. */
export async function usesConnections(
  { config, service }: World,
  layout: Layout,
  machine: string,
  context: CallContext,
): Promise<boolean> {
  if (layout.fabrics === undefined) return false;
  if (Object.keys(config.memoryModels).length > 0 || config.attachMethod === 'connections') return true;
  const read = await readSystem(service, layout, machine, context);
  if (read.tag !== 'ok') return true;
  return methodOf(read.value, systemUri(layout, machine), layout, config.attachMethod).tag === 'connection';
}

/** Every connection that is ours. Those of others are left alone, and not shown. */
export async function ownConnections(
  world: World,
  layout: Layout,
  context: CallContext,
): Promise<
  | { readonly tag: 'ok'; readonly connections: readonly OwnConnection[] }
  | { readonly tag: 'failed'; readonly failure: Failure }
> {
  const read = await world.fabrics.readAll(layout, context);
  if (read.tag === 'failed') return read;
  const connections: OwnConnection[] = [];
  for (const fabric of read.items) {
    for (const { uri, connection } of fabric.connections) {
      const own = await describe(world, layout, fabric, uri, connection, context);
      if (own !== undefined) connections.push(own);
    }
  }
  return { tag: 'ok', connections };
}

async function describe(
  world: World,
  layout: Layout,
  fabric: FabricRead,
  uri: string,
  connection: Connection,
  context: CallContext,
): Promise<OwnConnection | undefined> {
  const name = ownNameOf(connection);
  const [target] = targetsOf(connection);
  const initiator = connection.Links?.InitiatorEndpoints?.[0]?.['@odata.id'];
  if (name === undefined || target === undefined || initiator === undefined) return undefined;
  const entity = fabric.endpoints.find((endpoint) => endpoint.uri === target)?.entity;
  const link = connection.MemoryChunkInfo?.[0]?.MemoryChunk?.['@odata.id'];
  const chunk = link !== undefined && isUri(link) ? link : undefined;
  const gpu = chunk === undefined && entity !== undefined ? await world.fabrics.gpuAt(entity, context) : undefined;
  const id = chunk === undefined ? deviceIdOf(target) : name;
  if (id === undefined) return undefined;
  const machine = machineOf(fabric, connection, layout);
  const deviceId = gpu?.hints.uuid === undefined ? undefined : `gpu-${gpu.hints.uuid}`;
  const type = chunk === undefined ? 'gpu' : 'cxlmemory';
  return { name, uri, fabric, connection, machine, initiator, target, chunk, type, id, deviceId, gpu, entity };
}
