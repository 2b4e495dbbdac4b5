import { DRA_PLUGIN, DRIVER_POD, type Equipment } from '@cro/node-sim';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ContenderTimes } from './support/contender.ts';
import type { Moment } from './support/gate.ts';
import { Lives } from './support/lives.ts';
import { ask, askBack, askFor, untilBack } from './support/one-device.ts';
import { counted, momentsOf, type Step } from './support/steps.ts';
import { taintRules } from './support/taint-rules.ts';
import { untilRunning } from './support/waits.ts';
import { startWorld, type World } from './support/world.ts';

/*
 * The operator ends, or a connection does, while a command runs on a node: as it is sent, or when it has ended and its answer has not
 * come yet. One device stays on the node, another one comes and goes.
 */

const NAME = 'story';
const TIMES: ContenderTimes = { settleSeconds: 3 };
/** Drivers in containers: there a device that leaves costs the others the persistence daemon, for a moment. */
const EQUIPMENT: Equipment = { pods: [DRIVER_POD], daemonSets: [DRA_PLUGIN], host: { driver: 'container' } };
const ATTACH_COMMANDS = counted(['EXEC list']);
const DETACH_COMMANDS = counted(['EXEC load', 'EXEC quiesce', 'EXEC remove', 'EXEC persist']);

let world: World;
let lives: Lives;

beforeAll(async () => {
  world = await startWorld({ webhook: false, publishDelayMs: 200, equipment: EQUIPMENT });
  lives = new Lives(world, TIMES);
  await lives.next();
  await ask(world, NAME);
  await untilRunning(world, NAME, 1);
});

afterAll(async () => {
  await lives.close();
  await world.close();
});

const grow = () => askFor(world, NAME, 2);
const shrink = () => askFor(world, NAME, 1);

/** So many devices are there, and on their node all is as it was before anybody touched it. */
async function untilWell(count: number): Promise<void> {
  await untilRunning(world, NAME, count);
  world.nodes.assertNoFaults();
  const [node = ''] = world.caches.resources.list().map(({ spec }) => spec.target_node);
  const host = world.nodes.host(node);
  const gpus = host.gpus();
  const ready = { onBus: true, persistent: true, draining: false, minor: expect.any(Number) as number };
  expect(gpus).toEqual(gpus.map((gpu) => ({ ...gpu, ...ready })));
  expect(gpus).toHaveLength(count);
  const daemons = host.processes().filter(({ comm }) => comm === 'nvidia-persiste');
  expect(daemons.map(({ opens }) => [...opens].sort())).toEqual([gpus.map(({ uuid }) => uuid).sort()]);
  expect(await taintRules(world)).toEqual([]);
}

/** The commands that are sent until `over`. */
async function commandsOf(go: () => Promise<void>, over: () => Promise<void>): Promise<readonly Step[]> {
  const { gate } = lives.present;
  const from = gate.seen.length;
  await go();
  await over();
  return counted(gate.seen.slice(from).filter((label) => label.startsWith('EXEC ')));
}

/** A device comes, with something in between: one call of the fabric, and the node is well. */
async function comes(by: () => Promise<void>): Promise<void> {
  expect(world.caches.resources.list()).toHaveLength(1);
  const { attach, detach } = world.fabric.calls();
  await by();
  await untilWell(2);
  expect(world.fabric.calls()).toMatchObject({ attach: attach + 1, detach });
}

/** It goes in the same way. */
async function goes(by: () => Promise<void>): Promise<void> {
  expect(world.caches.resources.list()).toHaveLength(2);
  const { attach, detach } = world.fabric.calls();
  await by();
  await untilWell(1);
  expect(world.fabric.calls()).toMatchObject({ attach, detach: detach + 1 });
}

/** It is asked to end while a command runs: it does, and does not wait for the command, which goes on. */
async function endsAt(moment: Moment, go: () => Promise<void>): Promise<void> {
  expect(await lives.stopAt(moment, go)).toBe('exit code 0');
}

const BOTH = ['before', 'after'] as const;
const UNFENCE = counted(['DELETE devicetaintrules']);
/** A command that has ended and whose answer is lost with the operator leaves what the next one does that never arrives: of most, one of both is enough. */
const KILLED = [
  ...momentsOf(DETACH_COMMANDS, ['before']),
  ...momentsOf(DETACH_COMMANDS.slice(-1), ['after']),
  ...momentsOf(UNFENCE, BOTH),
];
/** What changes something on the node. */
const CHANGES = counted(['EXEC quiesce', 'EXEC remove', 'EXEC persist']);

describe('the operator, for a node', () => {
  test('runs these commands', async () => {
    expect(await commandsOf(grow, () => untilWell(2))).toEqual(ATTACH_COMMANDS);
    expect(await commandsOf(shrink, () => untilWell(1))).toEqual(DETACH_COMMANDS);
  });

  test.each(momentsOf(ATTACH_COMMANDS, BOTH))('is killed as a device comes, %s', async (_, moment) => {
    await comes(() => lives.crashAt(moment, grow));
    await goes(shrink);
  });

  test.each(KILLED)('is killed as a device goes, %s', async (_, moment) => {
    await comes(grow);
    await goes(() => lives.crashAt(moment, shrink));
  });

  test.each(momentsOf(CHANGES, ['before']))(
    'is killed %s, which is run when nobody waits for it',
    async (_, moment) => {
      await comes(grow);
      await goes(() => lives.crashAt(moment, shrink, 'arrives'));
    },
  );

  test.each(momentsOf(ATTACH_COMMANDS, BOTH))('loses a connection as a device comes, %s', async (_, moment) => {
    await comes(() => lives.cutAt(moment, grow));
    await goes(shrink);
  });

  test.each(momentsOf(CHANGES, BOTH))('loses a connection as a device goes, %s', async (_, moment) => {
    await comes(grow);
    await goes(() => lives.cutAt(moment, shrink));
  });

  test.each(momentsOf(ATTACH_COMMANDS, BOTH))('is asked to end as a device comes, %s', async (_, moment) => {
    await comes(() => endsAt(moment, grow));
    await goes(shrink);
  });

  test.each(momentsOf(CHANGES, BOTH))('is asked to end as a device goes, %s', async (_, moment) => {
    await comes(grow);
    await goes(() => endsAt(moment, shrink));
  });

  test('gives everything back', async () => {
    await askBack(world, NAME);
    await untilBack(world, NAME);
  });
});
