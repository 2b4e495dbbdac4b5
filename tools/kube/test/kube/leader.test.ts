import { delay, systemClock as clock } from '@cro/clock';
import { DRA_PLUGIN, DRIVER_POD, type Equipment } from '@cro/node-sim';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Contender } from './support/contender.ts';
import { Election, LEASE_MS, untilSeen } from './support/election.ts';
import type { Held, Moment } from './support/gate.ts';
import { isStep } from './support/labels.ts';
import { ask, askBack, untilBack, untilThere } from './support/one-device.ts';
import { ATTACH_CALL, ATTACH_STEPS, comparable, counted, MACHINE_READ, momentsOf } from './support/steps.ts';
import { startWorld, type World } from './support/world.ts';

/*
 * Two operators on one control plane. The one that leads is stopped at each request that it sends on the way of an attach:
 * killed, or paused until the other one leads and then let go on. Its request, or the answer to it, is held at a gate.
 */

const NAME = 'story';
const PATIENCE_MS = 60_000;
/** Longer than the fabric takes for an attach (300 ms), as the setting asks for. */
const SETTLE_SECONDS = 5;
/** Others notice a renewal, and that the last one is old, when they look: every retry period and a fifth. */
const LOOKS_MS = 2 * 1.2 * LEASE_MS.retryPeriod;
/** For a machine that has other things to do. */
const SLACK_MS = 10_000;

let world: World;
let election: Election;

async function begin(equipment?: Equipment): Promise<void> {
  world = await startWorld({ webhook: false, publishDelayMs: 200, ...(equipment && { equipment }) });
  election = new Election(world, SETTLE_SECONDS);
  await election.start();
}

async function end(): Promise<void> {
  await election.close();
  await world.close();
}

/** Waits until the leader's request at a moment on the way that `go` sends it is held. */
async function reach(moment: Moment, go: () => Promise<void>): Promise<Held> {
  const [held] = await Promise.all([election.leader.gate.hold(moment, PATIENCE_MS), go()]);
  return held;
}

const attachUntil = (moment: Moment) => reach(moment, () => ask(world, NAME));

/** The other one takes over, not before the lease has run out, and soon after. */
async function takeOver(): Promise<void> {
  const silentMs = await election.takeOver();
  expect(silentMs).toBeGreaterThanOrEqual(LEASE_MS.duration);
  expect(silentMs).toBeLessThan(LEASE_MS.duration + LOOKS_MS + SLACK_MS);
}

/** Rejects when an operator runs for longer than it should, and when it need not be waited for any more. */
async function tooLong({ name, program: { pid } }: Contender, ended: AbortSignal): Promise<never> {
  await delay(clock, PATIENCE_MS, ended);
  throw new Error(`${name}, process ${pid}, still runs after ${PATIENCE_MS} ms`);
}

/** The old leader goes on: it ends with a failure, and has asked nobody for anything more. */
async function wake(old: Contender): Promise<void> {
  const before = old.gate.seen.length;
  const ended = new AbortController();
  old.goOn();
  const end = Promise.race([old.program.failed, tooLong(old, ended.signal)]);
  await expect(end).rejects.toThrow('ended by itself with exit code 1');
  ended.abort();
  expect(old.gate.seen.slice(before)).toEqual([]);
}

/** One device for one resource, by one call, whatever happened; then it is given back. */
async function endsWell(attachBefore: number): Promise<void> {
  await untilThere(world, NAME);
  expect(world.fabric.calls().attach).toBe(attachBefore + 1);
  await askBack(world, NAME);
  await untilBack(world, NAME);
  await election.leader.untilSettled();
}

describe('the leader of two operators', () => {
  beforeAll(() => begin());
  afterAll(end);

  test('goes these steps', async () => {
    const { seen } = election.leader.gate;
    const attachBefore = world.fabric.calls().attach;
    const from = seen.length;
    await ask(world, NAME);
    await untilThere(world, NAME);
    // The last step is what makes it Running.
    expect(comparable(counted(seen.slice(from).filter(isStep)))).toEqual(comparable(ATTACH_STEPS));
    await endsWell(attachBefore);
  });

  test.each(momentsOf(ATTACH_STEPS, ['before']))('is killed %s, which never arrives', async (_, moment) => {
    const { attach } = world.fabric.calls();
    const held = await attachUntil(moment);
    await election.leader.program.kill();
    held.drop();
    await takeOver();
    await endsWell(attach);
  });

  async function isPaused(moment: Parameters<typeof attachUntil>[0]): Promise<void> {
    const { attach } = world.fabric.calls();
    const held = await attachUntil(moment);
    const old = election.leader;
    old.pause();
    await takeOver();
    held.release();
    await wake(old);
    await endsWell(attach);
  }

  test.each(momentsOf(ATTACH_STEPS, ['before']))('is paused %s, which arrives when another one leads', (_, moment) =>
    isPaused(moment),
  );

  test.each(momentsOf(ATTACH_STEPS, ['after']))(
    'is paused %s, and gets the answer when another one leads',
    (_, moment) => isPaused(moment),
  );

  test('is paused when its attach call is in the socket; the fabric gets it after the next one has looked', async () => {
    const { attach } = world.fabric.calls();
    const held = await attachUntil({ ...ATTACH_CALL, side: 'before' });
    const old = election.leader;
    old.pause();
    await takeOver();
    // It reads the machine to find out what became of the ticket, sees no change, and waits: the settle window.
    await untilSeen(world, election.leader, MACHINE_READ, 2);
    expect(world.fabric.calls().attach).toBe(attach);
    held.release();
    await endsWell(attach);
    await wake(old);
  });
});

describe('the leader of two operators, at work on a node', () => {
  beforeAll(() => begin({ pods: [DRIVER_POD], daemonSets: [DRA_PLUGIN], host: { driver: 'container' } }));
  afterAll(end);

  test.each<[string, Moment]>([
    ['before a command, which arrives when another one leads', { label: 'EXEC remove', nth: 1, side: 'before' }],
    ['after a command, and gets the answer when another one leads', { label: 'EXEC quiesce', nth: 1, side: 'after' }],
  ])('is paused %s', async (_, moment) => {
    await ask(world, NAME);
    await untilThere(world, NAME);
    const { attach, detach } = world.fabric.calls();
    const held = await reach(moment, () => askBack(world, NAME));
    const old = election.leader;
    old.pause();
    await takeOver();
    held.release();
    await wake(old);
    // The pool is whole only if no GPU was pulled that its node had not let go.
    await untilBack(world, NAME);
    expect(world.fabric.calls()).toMatchObject({ attach, detach: detach + 1 });
    await election.leader.untilSettled();
  });
});
