import type { Availability, CallContext, Provider } from '@cro/cdi-core';
import { bounded } from './bounded.ts';
import { freeBlocks, heldBlocks, inZoneOf } from './attach/choose-block.ts';
import { freeGpus, reachedFabrics } from './attach/choose-endpoint.ts';
import { methodOf } from './attach/method.ts';
import { readDomains, roundedMiB } from './tree/memory.ts';
import type { Layout } from './tree/root.ts';
import { readSystem, readSystems, systemUri } from './tree/systems.ts';
import type { World } from './world.ts';

type Query = Parameters<Provider['inventory']>[0];

/** How many devices of a model are free for a machine. */
export async function countFree(world: World, query: Query, context: CallContext): Promise<Availability> {
  const layout = await world.layouts.read(context);
  if (layout.tag === 'failed') return { tag: 'unknown', failure: layout.failure };
  if (query.type === 'cxlmemory') return countMemory(world, layout.value, query, context);
  const system = await readSystem(world.service, layout.value, query.machine, context);
  if (system.tag !== 'ok') return { tag: 'unknown', failure: system.failure };
  const uri = systemUri(layout.value, query.machine);
  const method = methodOf(system.value, uri, layout.value, world.config.attachMethod);
  if (method.tag === 'none') return { tag: 'unknown', failure: method.failure };
  const count = method.tag === 'connection' ? countEndpoints : countBlocks;
  return count(world, layout.value, query, context);
}

async function countBlocks(
  world: World,
  layout: Layout,
  { model, machine }: Query,
  context: CallContext,
): Promise<Availability> {
  const [systems, blocks] = await Promise.all([
    readSystems(world.service, layout, context),
    world.blocks.readAll(layout, context),
  ]);
  if (systems.tag === 'failed') return { tag: 'unknown', failure: systems.failure };
  if (blocks.tag === 'failed') return { tag: 'unknown', failure: blocks.failure };
  const own = systems.systems.find((system) => system.machine === machine);
  const free = freeBlocks(inZoneOf(own, blocks.items), heldBlocks(world, systems.systems));
  return { tag: 'free', count: free.filter((block) => block.model === model).length };
}

async function countEndpoints(
  world: World,
  layout: Layout,
  { model, machine }: Query,
  context: CallContext,
): Promise<Availability> {
  const read = await world.fabrics.readAll(layout, context);
  if (read.tag === 'failed') return { tag: 'unknown', failure: read.failure };
  const reached = reachedFabrics(read.items, systemUri(layout, machine));
  const free = await bounded(reached, 1, (one) => freeGpus(world, one, context));
  return { tag: 'free', count: free.flat().filter((gpu) => gpu.model === model).length };
}

/** Chunks of that size that the domains have left. */
async function countMemory(
  world: World,
  layout: Layout,
  { model }: Query,
  context: CallContext,
): Promise<Availability> {
  const wish = world.config.memoryModels[model];
  if (wish === undefined) return { tag: 'free', count: 0 };
  const read = await readDomains(world.service, layout, context);
  if (read.tag === 'failed') return { tag: 'unknown', failure: read.failure };
  if (read.domains.some(({ leftMiB }) => leftMiB === undefined)) return { tag: 'unknown' };
  const counts = read.domains.map((domain) => Math.floor((domain.leftMiB ?? 0) / roundedMiB(domain, wish.sizeMiB)));
  return { tag: 'free', count: counts.reduce((sum, count) => sum + Math.max(0, count), 0) };
}
