import { cleanText, type CallContext, type ListedDevice, type Listing } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';
import { bounded } from './bounded.ts';
import { connectionHealth } from './attach/connected-device.ts';
import { heldBlocks } from './attach/choose-block.ts';
import { methodOf } from './attach/method.ts';
import { ownConnections, type OwnConnection } from './attach/own-connections.ts';
import { deviceIdOf } from './redfish/uri.ts';
import { decode } from './redfish/wire.ts';
import { healthOf } from './tree/health.ts';
import type { Layout } from './tree/root.ts';
import { blocksIn, readSystem, readSystems, systemUri, type SystemRead } from './tree/systems.ts';
import type { World } from './world.ts';

const AT_ONCE = 8;

/**
 * Every device on these machines. One call for all of them where the service expands links, else a call for each machine and each of
 * its blocks, eight at a time. A machine that cannot be read is named, and hides no other.
 */
export async function listDevices(world: World, machines: readonly string[], context: CallContext): Promise<Listing> {
  const asked = [...new Set(machines)];
  const layout = await world.layouts.read(context);
  if (layout.tag === 'failed') return blind(asked, layout.failure);
  const systems = await readAsked(world, layout.value, asked, context);
  if (systems.tag === 'failed') return blind(asked, systems.failure);
  heldBlocks(world, systems.systems);
  await learnBlocks(world, layout.value, systems.systems, context);
  const perSystem = await bounded(systems.systems, AT_ONCE, (system) => devicesIn(world, system, context));
  const connected = await connectedTo(world, layout.value, systems.systems, context);
  if (connected.tag === 'failed') return blind(asked, connected.failure);
  const wanted = new Set(asked);
  return {
    devices: [...perSystem.flatMap(({ devices }) => devices), ...connected.devices].filter(({ machine }) =>
      wanted.has(machine),
    ),
    unreadable: perSystem.flatMap(({ unreadable }) => unreadable),
  };
}

function blind(machines: readonly string[], failure: Failure): Listing {
  return { devices: [], unreadable: machines.map((machine) => ({ machine, failure })) };
}

async function readAsked(world: World, layout: Layout, machines: readonly string[], context: CallContext) {
  if (layout.expand === undefined) {
    const systems = await bounded(machines, AT_ONCE, async (machine): Promise<SystemRead> => {
      const read = await readSystem(world.service, layout, machine, context);
      return { machine, uri: systemUri(layout, machine), read };
    });
    return { tag: 'ok', systems } as const;
  }
  const all = await readSystems(world.service, layout, context, true);
  if (all.tag === 'failed') return all;
  const found = new Map(all.systems.map((system) => [system.machine, system]));
  const systems = machines.map((machine): SystemRead => {
    const uri = systemUri(layout, machine);
    const failure: Failure = {
      kind: 'Rejected',
      message: `machine '${cleanText(machine)}' is not known to the service`,
    };
    return found.get(machine) ?? { machine, uri, read: { tag: 'absent', failure } };
  });
  return { tag: 'ok', systems } as const;
}

/**
 * What is in blocks that were not seen before, by one read of all of them where the service expands links. Where that fails each of
 * them is read, and tells by itself what is wrong.
 */
async function learnBlocks(
  { blocks }: World,
  layout: Layout,
  systems: readonly SystemRead[],
  context: CallContext,
): Promise<void> {
  if (layout.expand === undefined) return;
  const listed = systems.flatMap(({ read }) => (read.tag === 'ok' ? blocksIn(read.value) : []));
  const unknown = listed.filter((uri) => !blocks.knows(uri));
  if (unknown.length > 1) await blocks.readAll(layout, context);
}

interface Part {
  readonly devices: readonly ListedDevice[];
  readonly unreadable: Listing['unreadable'];
}

async function devicesIn(world: World, { machine, read }: SystemRead, context: CallContext): Promise<Part> {
  if (read.tag !== 'ok') return { devices: [], unreadable: [{ machine, failure: read.failure }] };
  const items = read.value.Links?.ResourceBlocks ?? [];
  const blocks = await bounded(items, AT_ONCE, async (item) => {
    const reference = decode.ref(item);
    const uri = reference.tag === 'ok' ? reference.object['@odata.id'] : '';
    const isExpanded = typeof item === 'object' && item !== null && Object.keys(item).length > 1;
    return isExpanded ? world.blocks.complete(uri, item, context) : world.blocks.read(uri, context);
  });
  // A block that cannot be read may be a GPU: without it the machine is not known.
  const broken = blocks.find((block) => block.tag === 'failed');
  if (broken?.tag === 'failed') return { devices: [], unreadable: [{ machine, failure: broken.failure }] };
  const devices = blocks.flatMap((block): ListedDevice[] => {
    if (block.tag !== 'ok' || block.value.gpu === undefined) return [];
    const { uri, gpu, block: body } = block.value;
    const cdiDeviceId = deviceIdOf(uri);
    if (cdiDeviceId === undefined) return [];
    const health = healthOf(`gpu '${cdiDeviceId}'`, body.Status);
    return [{ machine, type: 'gpu', model: gpu.model, cdiDeviceId, health, hints: gpu.hints }];
  });
  return { devices, unreadable: [] };
}

/** What hangs on connections, where any may be. */
async function connectedTo(world: World, layout: Layout, systems: readonly SystemRead[], context: CallContext) {
  const { config } = world;
  const mayBe =
    layout.fabrics !== undefined &&
    (Object.keys(config.memoryModels).length > 0 ||
      systems.some(
        ({ uri, read }) =>
          read.tag === 'ok' && methodOf(read.value, uri, layout, config.attachMethod).tag === 'connection',
      ));
  if (!mayBe) return { tag: 'ok', devices: [] } as const;
  const found = await ownConnections(world, layout, context);
  if (found.tag === 'failed') return found;
  const unread = new Set(systems.filter(({ read }) => read.tag !== 'ok').map(({ machine }) => machine));
  const shown = found.connections.filter(({ machine }) => machine === undefined || !unread.has(machine));
  const devices = await bounded(shown, AT_ONCE, (connection) => listedOf(world, connection, context));
  return { tag: 'ok', devices: devices.flat() } as const;
}

async function listedOf(world: World, own: OwnConnection, context: CallContext): Promise<readonly ListedDevice[]> {
  const { machine, type, id, gpu, connection, entity } = own;
  if (machine === undefined) return [];
  if (type === 'cxlmemory') {
    // Its maker wrote there what was asked for.
    const [, model = ''] = /^cxlmemory (\S+)$/.exec(connection.Description ?? '') ?? [];
    return [{ machine, type, model, cdiDeviceId: id, health: connectionHealth(type, id, connection) }];
  }
  if (gpu === undefined) return [];
  const read = entity === undefined ? undefined : await world.service.get(entity, decode.processor, context);
  const health = healthOf(`gpu '${id}'`, read?.tag === 'ok' ? read.value.Status : undefined);
  return [{ machine, type, model: gpu.model, cdiDeviceId: id, health, hints: gpu.hints }];
}
