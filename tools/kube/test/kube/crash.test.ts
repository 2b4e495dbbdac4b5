import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ContenderTimes } from './support/contender.ts';
import { isStep } from './support/labels.ts';
import { Lives } from './support/lives.ts';
import { ask, askBack, untilBack, untilThere } from './support/one-device.ts';
import { complaints } from './support/records.ts';
import { REST_MS } from './support/rest.ts';
import { ATTACH_STEPS, comparable, counted, DETACH_STEPS, momentsOf, type Step } from './support/steps.ts';
import { untilHealthy, writtenWithin } from './support/waits.ts';
import { startWorld, type World } from './support/world.ts';

/*
 * The operator is killed (SIGKILL) before and after each request that it sends on the way of an attach and of a detach: before it, the
 * request never arrives; after it, its answer never does. Another one takes over. The end is that of a run without a crash,
 * with as many calls that change the fabric.
 */

const NAME = 'story';
const BOTH = ['before', 'after'] as const;
const TIMES: ContenderTimes = { settleSeconds: 3 };
/** A call that changes the fabric was on its way when its operator died. */
const LOST_CALL = 'The call to the fabric was lost';

let world: World;
let lives: Lives;

beforeAll(async () => {
  world = await startWorld({ webhook: false, publishDelayMs: 200 });
  lives = new Lives(world, TIMES);
  await lives.next();
});

afterAll(async () => {
  await lives.close();
  await world.close();
});

/** The steps that the operator goes until `over`. */
async function stepsOf(go: () => Promise<void>, over: () => Promise<void>): Promise<readonly Step[]> {
  const from = lives.present.gate.seen.length;
  await go();
  await over();
  return comparable(counted(lives.present.gate.seen.slice(from).filter(isStep)));
}

const attach = () => ask(world, NAME);
const detach = () => askBack(world, NAME);

describe('the operator', () => {
  test('goes these steps', async () => {
    expect(await stepsOf(attach, () => untilThere(world, NAME))).toEqual(comparable(ATTACH_STEPS));
    expect(await stepsOf(detach, () => untilBack(world, NAME))).toEqual(comparable(DETACH_STEPS));
  });

  test.each(momentsOf(ATTACH_STEPS, BOTH))('is killed on the way of an attach %s', async (_, moment) => {
    const before = world.fabric.calls();
    await lives.crashAt(moment, attach);
    await untilThere(world, NAME);
    expect(world.fabric.calls()).toMatchObject({ attach: before.attach + 1, detach: before.detach });
    await detach();
    await untilBack(world, NAME);
  });

  test.each(momentsOf(DETACH_STEPS, BOTH))('is killed on the way of a detach %s', async (_, moment) => {
    await attach();
    await untilThere(world, NAME);
    const before = world.fabric.calls();
    await lives.crashAt(moment, detach);
    await untilBack(world, NAME);
    expect(world.fabric.calls()).toMatchObject({ attach: before.attach, detach: before.detach + 1 });
  });

  test('then nothing is written, neither with a device nor without', async () => {
    await lives.stop({ ...TIMES, syncSeconds: 3 });
    await attach();
    await untilThere(world, NAME);
    await untilHealthy(world);
    expect(await writtenWithin(world, REST_MS)).toEqual([]);
    await detach();
    await untilBack(world, NAME);
    await world.nodes.settled();
    expect(await writtenWithin(world, REST_MS)).toEqual([]);
  });

  test('they complained of calls that were lost, and of nothing else', async () => {
    const all = (await Promise.all(lives.all.map((life) => complaints(life)))).flat();
    // That it does nothing on nodes is what this release says at each start.
    const complained = all.filter(({ nodeActions }) => nodeActions === undefined);
    expect(complained.filter(({ error }) => !String(error).startsWith(LOST_CALL))).toEqual([]);
    expect(complained.length).toBeGreaterThan(0);
  });
});
