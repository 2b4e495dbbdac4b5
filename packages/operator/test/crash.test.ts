import { describe, expect, it } from 'vitest';
import { putRequest, REQUESTS, requestOf, resourcesOf, runsWith, until } from './world/objects.ts';
import { makeWorld, type Life, type World } from './world/world.ts';

/** Deaths between two commands have a file of their own. */
const NONE = { tag: 'none' } as const;

/*
 * The process is killed before and after each request that it sends on its way through an attach and a detach, and in the
 * middle of each change of the fabric. Another one takes over. The end state and the number of attach and detach calls are
 * those of a run without a crash.
 */

const SIZE = 2;
const SLOW_MS = 5_000;

interface Crash {
  /** Which request of the path, counted from 0. */
  readonly at: number;
  readonly side: 'before' | 'after' | 'during';
}

/** Runs one half of the path under a crash, and answers the requests that were sent up to its end. */
async function run(world: World, life: Life, crash: Crash | undefined, isOver: () => boolean): Promise<string[]> {
  const sent: string[] = [];
  let current = life;
  let killed = crash === undefined;
  const crashNow = () => {
    killed = true;
    current.kill();
    current = world.startOperator();
  };
  world.gates.before = (what) => {
    if (isWatch(what)) return;
    sent.push(what);
    if (killed || sent.length - 1 !== crash?.at) return;
    if (crash.side === 'before') crashNow();
    else if (crash.side === 'during') world.clock.after(SLOW_MS / 2, crashNow);
  };
  let answered = 0;
  world.gates.after = (what) => {
    if (isWatch(what)) return;
    if (!killed && crash?.side === 'after' && answered === crash.at) crashNow();
    answered += 1;
  };
  await until(
    world,
    `the end of the path after a crash ${JSON.stringify(crash)} at ${sent[crash?.at ?? 0] ?? ''}`,
    isOver,
  );
  world.gates.before = () => undefined;
  world.gates.after = () => undefined;
  expect(killed).toBe(true);
  return sent;
}

function isWatch(what: string): boolean {
  return what.includes('watch=') || what.includes('/events');
}

async function attach(crash: Crash | undefined): Promise<{ world: World; sent: string[] }> {
  const world = await makeWorld({ nodeActions: NONE, attachMs: SLOW_MS, detachMs: SLOW_MS });
  const life = world.startOperator();
  putRequest(world, 'story', { size: SIZE });
  const sent = await run(world, life, crash, () => runsWith(world, 'story', SIZE));
  return { world, sent };
}

async function detach(crash: Crash | undefined): Promise<{ world: World; sent: string[] }> {
  const world = await makeWorld({ nodeActions: NONE, attachMs: SLOW_MS, detachMs: SLOW_MS });
  const life = world.startOperator();
  putRequest(world, 'story', { size: SIZE });
  await until(world, 'Running', () => runsWith(world, 'story', SIZE));
  world.kube.objects.delete(REQUESTS, 'story');
  const sent = await run(
    world,
    life,
    crash,
    () => requestOf(world, 'story') === undefined && resourcesOf(world).length === 0,
  );
  return { world, sent };
}

function crashesFor(sent: readonly string[]): Crash[] {
  return sent.flatMap((what, at): Crash[] => {
    const sides: Crash[] = [
      { at, side: 'before' },
      { at, side: 'after' },
    ];
    return what.includes('/update') ? [...sides, { at, side: 'during' }] : sides;
  });
}

describe('a crash at any request', () => {
  it('of an attach: as many attach calls as devices, and the same end', async () => {
    const clean = await attach(undefined);
    expect(clean.world.fabric.calls().attach).toBe(SIZE);
    for (const crash of crashesFor(clean.sent)) {
      const { world } = await attach(crash);
      const where = `${crash.side} ${clean.sent[crash.at] ?? ''}`;
      expect([where, world.fabric.calls().attach, world.fabric.calls().detach]).toEqual([where, SIZE, 0]);
      expect([where, resourcesOf(world).length]).toEqual([where, SIZE]);
      expect([where, new Set(resourcesOf(world).map((one) => one.status?.cdi_device_id)).size]).toEqual([where, SIZE]);
    }
  }, 120_000);

  it('of a detach: as many detach calls as devices, and the pool whole', async () => {
    const clean = await detach(undefined);
    expect(clean.world.fabric.calls().detach).toBe(SIZE);
    for (const crash of crashesFor(clean.sent)) {
      const { world } = await detach(crash);
      const where = `${crash.side} ${clean.sent[crash.at] ?? ''}`;
      expect([where, world.fabric.calls().attach, world.fabric.calls().detach]).toEqual([where, SIZE, SIZE]);
      world.fabric.assertPoolWhole();
    }
  }, 120_000);
});
