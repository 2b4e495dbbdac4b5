import { LEFT_REQUEST, leftovers, type Leftover } from '@cro/crd-types/testing';
import { describe, expect, it } from 'vitest';
import { applyCrds, leftBehind } from './world/leave.ts';
import { requestOf, resourcesOf, runsWith, until } from './world/objects.ts';
import type { World } from './world/world.ts';

/* The Go operator is replaced: its objects, made under CRDs of its own shapes, are taken over by this one. */

const SETTLE_MS = 240_000;

function hasEnded(world: World, { end }: Leftover): boolean {
  if (end === 'gone') return requestOf(world, LEFT_REQUEST) === undefined && resourcesOf(world).length === 0;
  return runsWith(world, LEFT_REQUEST, end) && resourcesOf(world).length === end;
}

/** What was Online, or had a device that it keeps, by name. */
function devicesOf(world: World): readonly (readonly [string, string | undefined])[] {
  return resourcesOf(world)
    .filter(({ metadata, status }) => status?.device_id !== undefined && metadata.deletionTimestamp === undefined)
    .map(({ metadata, status }) => [metadata.name, status?.device_id]);
}

describe('taken over from the Go operator', () => {
  it.each(leftovers)('$what', async (leftover) => {
    const world = await leftBehind(leftover);
    const before = devicesOf(world);
    const names = Object.keys(requestOf(world, LEFT_REQUEST)?.status?.resources ?? {});
    applyCrds(world, 'ours');
    world.startOperator();
    await until(world, 'the end', () => hasEnded(world, leftover), SETTLE_MS + 60_000);
    if (leftover.end !== 'gone') {
      expect(devicesOf(world)).toEqual(expect.arrayContaining([...before]));
      // Names that were chosen are kept, but for a resource that somebody deleted.
      const kept = resourcesOf(world).map(({ metadata }) => metadata.name);
      if (leftover.deleted === undefined) expect(kept).toEqual(expect.arrayContaining(names));
    }
    // Nor does anything come later: no second attach, and nobody's device is given back.
    await world.clock.advance(1_200_000);
    expect(hasEnded(world, leftover)).toBe(true);
    expect(world.fabric.calls()).toMatchObject(leftover.calls);
    if (leftover.end === 'gone') world.fabric.assertPoolWhole();
  });
});
