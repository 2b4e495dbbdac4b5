import type { AttachRequest, CallContext } from '@cro/cdi-core';
import { bounded } from '../bounded.ts';
import { deviceIdOf } from '../redfish/uri.ts';
import { freeTargets, initiatorOf, type EndpointRead, type FabricRead } from '../tree/fabrics.ts';
import { ownName } from '../tree/named.ts';
import type { Layout } from '../tree/root.ts';
import { systemUri } from '../tree/systems.ts';
import type { World } from '../world.ts';
import type { Choice } from './choose-block.ts';
import type { ByConnection } from './notes.ts';
import { nothingLeft, pick } from './pick.ts';

const AT_ONCE = 8;

/** Chooses a GPU that hangs on a fabric which the machine reaches and that no connection uses. */
export async function chooseEndpoint(
  world: World,
  layout: Layout,
  request: AttachRequest,
  context: CallContext,
): Promise<Choice> {
  const read = await world.fabrics.readAll(layout, context);
  if (read.tag === 'failed') return read;
  const reached = reachedFabrics(read.items, systemUri(layout, request.machine));
  if (reached.length === 0) return notOnFabric(request.machine, read.items);
  const candidates = (await bounded(reached, 1, (one) => freeGpus(world, one, context))).flat();
  const chosen = pick(world, request, candidates);
  if (chosen === undefined) return { tag: 'failed', failure: nothingLeft(world, request, candidates) };
  const notes = connectionNotes(world, chosen.reached, chosen.endpoint);
  return { tag: 'chosen', subject: { cdiDeviceId: chosen.id, hints: chosen.hints, notes } };
}

/** A fabric, with the endpoint by which a machine reaches it. */
export interface Reached {
  readonly fabric: FabricRead;
  readonly initiator: EndpointRead;
}

/** The fabrics that a system reaches. */
export function reachedFabrics(fabrics: readonly FabricRead[], system: string): readonly Reached[] {
  return fabrics.flatMap((fabric) => {
    const initiator = initiatorOf(fabric, system);
    return initiator === undefined ? [] : [{ fabric, initiator }];
  });
}

/** The machine has no endpoint, unless it is one that cannot be read now. */
export function notOnFabric(machine: string, fabrics: readonly FabricRead[]): Choice {
  const unread = fabrics.find((fabric) => fabric.unread !== undefined)?.unread;
  if (unread !== undefined) return { tag: 'failed', failure: unread };
  const message = `machine '${machine}' has no initiator endpoint on any fabric: nothing can be connected to it`;
  return { tag: 'failed', failure: { kind: 'Rejected', message } };
}

/** The GPUs behind endpoints that no connection uses. */
export async function freeGpus(world: World, reached: Reached, context: CallContext) {
  const gpus = await bounded(freeTargets(reached.fabric), AT_ONCE, async (endpoint) => {
    const id = deviceIdOf(endpoint.uri);
    const gpu = endpoint.entity === undefined ? undefined : await world.fabrics.gpuAt(endpoint.entity, context);
    return gpu === undefined || id === undefined ? [] : [{ id, reached, endpoint, ...gpu }];
  });
  return gpus.flat().sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The notes of a connection that is to be made. */
export function connectionNotes(
  { host }: World,
  { fabric, initiator }: Reached,
  endpoint: EndpointRead,
  name = ownName(host.newId()),
): ByConnection {
  return {
    method: 'connection',
    name,
    fabric: fabric.uri,
    connections: fabric.connectionsUri,
    isSunfish: fabric.isSunfish,
    initiator: initiator.uri,
    target: endpoint.uri,
  };
}
