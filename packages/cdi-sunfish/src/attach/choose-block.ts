import type { AttachRequest, CallContext, Subject } from '@cro/cdi-core';
import type { Failure } from '@cro/crd-types';
import { deviceIdOf } from '../redfish/uri.ts';
import type { Block } from '../redfish/wire.ts';
import type { BlockRead } from '../tree/blocks.ts';
import { healthOf } from '../tree/health.ts';
import type { Layout } from '../tree/root.ts';
import { blocksIn, readSystems, systemUri, type SystemRead } from '../tree/systems.ts';
import type { World } from '../world.ts';
import { blockNotes, type Method } from './method.ts';
import type { Notes } from './notes.ts';
import { nothingLeft, pick } from './pick.ts';

/** A device that was chosen, or why there is none. */
export type Choice =
  { readonly tag: 'chosen'; readonly subject: Subject<Notes> } | { readonly tag: 'failed'; readonly failure: Failure };

/**
 * Chooses a free GPU block. What blocks say of themselves can be out of date (a block may say `Unused` all along), so no block
 * counts as free that any system lists.
 */
export async function chooseBlock(
  world: World,
  layout: Layout,
  method: Method,
  request: AttachRequest,
  context: CallContext,
): Promise<Choice> {
  const [systems, blocks] = await Promise.all([
    readSystems(world.service, layout, context),
    world.blocks.readAll(layout, context),
  ]);
  if (systems.tag === 'failed') return systems;
  if (blocks.tag === 'failed') return blocks;
  const held = heldBlocks(world, systems.systems);
  const own = systems.systems.find(({ machine }) => machine === request.machine);
  const near = inZoneOf(own, blocks.items);
  const candidates = freeBlocks(near, held);
  const chosen = pick(world, request, candidates);
  const notes = chosen && blockNotes(method, systemUri(layout, request.machine), chosen.uri);
  if (chosen === undefined || notes === undefined) {
    return { tag: 'failed', failure: nothingLeft(world, request, candidates) };
  }
  return { tag: 'chosen', subject: { cdiDeviceId: chosen.id, hints: chosen.hints, notes } };
}

/**
 * The blocks that may be composed with those of a system: they share a zone with one of them (DSP2050, "Resource zones"). Where either
 * side names no zone, everything may.
 */
export function inZoneOf(system: SystemRead | undefined, blocks: readonly BlockRead[]): readonly BlockRead[] {
  const own = new Set(system?.read.tag === 'ok' ? blocksIn(system.read.value) : []);
  const zones = new Set(blocks.filter(({ uri }) => own.has(uri)).flatMap(zonesOf));
  if (zones.size === 0) return blocks;
  return blocks.filter((block) => {
    const its = zonesOf(block);
    return its.length === 0 || its.some((zone) => zones.has(zone));
  });
}

function zonesOf({ block }: BlockRead): readonly string[] {
  return (block.Links?.Zones ?? []).map((zone) => zone['@odata.id']);
}

/** The blocks that systems list; those of a system that cannot be read now are the ones that it listed last. */
export function heldBlocks({ holders }: World, systems: readonly SystemRead[]): ReadonlySet<string> {
  const unread = new Set(systems.filter(({ read }) => read.tag !== 'ok').map(({ machine }) => machine));
  for (const [block, machine] of holders) if (!unread.has(machine)) holders.delete(block);
  for (const { machine, read } of systems) {
    if (read.tag === 'ok') for (const block of blocksIn(read.value)) holders.set(block, machine);
  }
  return new Set(holders.keys());
}

/** The GPU blocks that nobody holds, in the order of their ids. */
export function freeBlocks(blocks: readonly BlockRead[], held: ReadonlySet<string>) {
  const free = blocks.flatMap(({ uri, block, gpu }) => {
    const id = deviceIdOf(uri);
    if (gpu === undefined || id === undefined || held.has(uri) || !isFree(block)) return [];
    return [{ id, uri, model: gpu.model, hints: gpu.hints }];
  });
  return free.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function isFree({ CompositionStatus: status, Links: links, Status: health, '@odata.id': uri }: Block): boolean {
  const { CompositionState: state = 'Unused', Reserved: isReserved = false } = status ?? {};
  const { MaxCompositions: most = 1, NumberOfCompositions: present = 0 } = status ?? {};
  const isOpen = state === 'Unused' || (state === 'ComposedAndAvailable' && present < most);
  const isUnlinked = state === 'ComposedAndAvailable' || (links?.ComputerSystems ?? []).length === 0;
  const { level } = healthOf(uri, health);
  const isWell = (health?.State ?? 'Enabled') === 'Enabled' && level !== 'critical' && level !== 'warning';
  return isOpen && isUnlinked && isWell && !isReserved;
}
