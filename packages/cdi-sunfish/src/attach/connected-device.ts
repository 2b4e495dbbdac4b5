import type { AttachedDevice, CallContext, Health, OperationTarget } from '@cro/cdi-core';
import { decode, type Connection } from '../redfish/wire.ts';
import { healthOf } from '../tree/health.ts';
import type { World } from '../world.ts';
import type { ByConnection } from './notes.ts';

/** The device that a connection has brought. */
export async function connectedDevice(
  world: World,
  { type, cdiDeviceId, hints, notes }: OperationTarget<ByConnection>,
  connection: Connection,
  context: CallContext,
): Promise<AttachedDevice> {
  const common = { cdiDeviceId, ...(hints === undefined ? {} : { hints }) };
  if (notes.memory !== undefined) return { ...common, health: connectionHealth(type, cdiDeviceId, connection) };
  const endpoint = await world.service.get(notes.target, decode.endpoint, context);
  const link = endpoint.tag === 'ok' ? endpoint.value.ConnectedEntities?.[0]?.EntityLink?.['@odata.id'] : undefined;
  const processor = link === undefined ? undefined : await world.service.get(link, decode.processor, context);
  const status = processor?.tag === 'ok' ? processor.value.Status : undefined;
  return { ...common, health: healthOf(`${type} '${cdiDeviceId}'`, status) };
}

/** A connection is no hardware: where its service keeps no status of it, its being there is all the health that it has. */
export function connectionHealth(type: string, id: string, { Status: status }: Connection): Health {
  return status?.Health === undefined ? { level: 'ok' } : healthOf(`${type} '${id}'`, status);
}
