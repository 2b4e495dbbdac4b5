import { describe, expect, it } from 'vitest';
import { takeDown } from './world/acts.ts';
import { putRequest, REQUESTS, requestOf, resourcesOf, runsWith, until } from './world/objects.ts';
import { makeWorld, type Life, type World } from './world/world.ts';

/** Old views are of the API server: commands on nodes, which take most of the time, add nothing to them. */
const NONE = { tag: 'none' } as const;

/*
 * One watch falls silent before a request of the path, for 20 seconds: the operator goes on with an old view of that kind.
 * The end, and the number of attach and detach calls, are those of a run in which every event came at once. In the second
 * half the operator is killed as well, so that the next one begins with what it lists while the old events still come.
 */

const KINDS = ['composabilityrequests', 'composableresources', 'resourceslices', 'nodes'] as const;
const SILENT_MS = 20_000;
const SIZE = 2;

interface Silence {
  readonly kind: (typeof KINDS)[number];
  /** Which request of the path, counted from 0. */
  readonly at: number;
  readonly crash: boolean;
}

/** Runs one half of the path; answers how many requests it took. */
async function run(world: World, life: Life, silence: Silence | undefined, isOver: () => boolean): Promise<number> {
  let sent = 0;
  world.gates.before = (what) => {
    if (what.includes('watch=') || what.includes('/events')) return;
    sent += 1;
    if (sent - 1 !== silence?.at) return;
    const release = world.kube.holdWatches(({ plural }) => plural === silence.kind);
    world.clock.after(SILENT_MS, release);
    if (!silence.crash) return;
    life.kill();
    world.startOperator();
  };
  await until(world, `the end of the path in spite of ${JSON.stringify(silence)}`, isOver);
  world.gates.before = () => undefined;
  return sent;
}

async function attach(silence?: Silence): Promise<{ world: World; sent: number }> {
  const world = await makeWorld({ nodeActions: NONE });
  const life = world.startOperator();
  putRequest(world, 'story', { size: SIZE });
  return { world, sent: await run(world, life, silence, () => runsWith(world, 'story', SIZE)) };
}

async function detach(silence?: Silence): Promise<{ world: World; sent: number }> {
  const world = await makeWorld({ nodeActions: NONE });
  const life = world.startOperator();
  putRequest(world, 'story', { size: SIZE });
  await until(world, 'Running', () => runsWith(world, 'story', SIZE));
  world.kube.objects.delete(REQUESTS, 'story');
  const isOver = () => requestOf(world, 'story') === undefined && resourcesOf(world).length === 0;
  return { world, sent: await run(world, life, silence, isOver) };
}

/** Every request of the path in `npm run test:slow`; each kind another third of them otherwise. */
function silences(kind: Silence['kind'], count: number): Silence[] {
  const stride = Number(process.env['CRO_STRIDE'] ?? 3);
  const all = Array.from({ length: count }, (_, at) => [false, true].map((crash) => ({ kind, at, crash }))).flat();
  return all.filter((_, index) => index % stride === KINDS.indexOf(kind) % stride);
}

describe.each(KINDS)('an old view of %s', (kind) => {
  it('during an attach: as many attach calls as devices, and one owner for each', async () => {
    const clean = await attach();
    for (const silence of silences(kind, clean.sent)) {
      const { world } = await attach(silence);
      expect([silence, world.fabric.calls().attach, world.fabric.calls().detach]).toEqual([silence, SIZE, 0]);
      const owned = new Set(resourcesOf(world).map(({ status }) => status?.cdi_device_id));
      expect([silence, resourcesOf(world).length, owned.size]).toEqual([silence, SIZE, SIZE]);
    }
  });

  it('during a detach: as many detach calls as devices, and the pool whole', async () => {
    const clean = await detach();
    for (const silence of silences(kind, clean.sent)) {
      const { world } = await detach(silence);
      expect([silence, world.fabric.calls().attach, world.fabric.calls().detach]).toEqual([silence, SIZE, SIZE]);
      world.fabric.assertPoolWhole();
    }
  });
});

it('an old view of its children when a request grows and shrinks: none is planned twice', async () => {
  const world = await makeWorld({ nodeActions: NONE });
  world.startOperator();
  putRequest(world, 'story', { size: 2 });
  await until(world, 'Running', () => runsWith(world, 'story', 2));
  const release = world.kube.holdWatches(({ plural }) => plural === 'composableresources');
  putRequest(world, 'story', { size: 3 });
  await world.clock.advance(5_000);
  putRequest(world, 'story', { size: 2 });
  await world.clock.advance(5_000);
  putRequest(world, 'story', { size: 4 });
  await world.clock.advance(5_000);
  release();
  await until(world, 'four', () => runsWith(world, 'story', 4) && resourcesOf(world).length === 4);
  // One more, one less, two more.
  expect(world.fabric.calls()).toMatchObject({ attach: 5, detach: 1 });
  await takeDown(world, 'story');
  world.fabric.assertPoolWhole();
});
