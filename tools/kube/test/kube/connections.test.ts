import { systemClock as clock } from '@cro/clock';
import { until } from '@cro/demo';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startContender, type Contender } from './support/contender.ts';
import { ask, askBack, untilBack, untilThere } from './support/one-device.ts';
import { allAtOnce, oneAtATime } from './support/overload.ts';
import { asked, complaints } from './support/records.ts';
import { untilRunning } from './support/waits.ts';
import { startWorld, type World } from './support/world.ts';

/*
 * What an operator asks for when its connections to the API server break: no more than it has to. Requests are counted where they leave the
 * operator; lists that were answered also in the API server's audit log.
 */

const NAME = 'story';
/** What the operator watches. */
const WATCHED = ['composabilityrequests', 'composableresources', 'nodes', 'resourceslices', 'secrets'];
const PATIENCE_MS = 60_000;
/** Long: for how long an API server that is started again is away depends on the machine, and who leads is not asked here. */
const lease = { duration: 60_000, renewDeadline: 50_000, retryPeriod: 2_000 };
/** Watches that are asked for while nobody listens, or nobody is let in: after 0.8 s, 1.6 s and so on, each by half by jitter. */
const TRIES = 8;
/** Devices that are asked for at once: enough that their requests meet. */
const CROWD = 4;

let world: World;
let operator: Contender;
let from = 0;

beforeAll(async () => {
  world = await startWorld({ webhook: false });
  operator = await startContender(world, 'operator', { settleSeconds: 5, lease });
  await operator.untilLeads();
  await operator.untilSettled();
});

beforeEach(() => {
  from = operator.gate.seen.length;
});

afterAll(async () => {
  await operator.close();
  await world.close();
});

/** How often each watched kind was asked for in this way since the test began. */
function counts(verb: 'LIST' | 'WATCH'): Readonly<Record<string, number>> {
  const since = operator.gate.seen.slice(from);
  return Object.fromEntries(WATCHED.map((kind) => [kind, since.filter((label) => label === `${verb} ${kind}`).length]));
}

function each(count: number): Readonly<Record<string, number>> {
  return Object.fromEntries(WATCHED.map((kind) => [kind, count]));
}

/** Waits until something stands at the gate. */
async function untilGate(what: string, isSo: () => boolean): Promise<void> {
  await until({
    clock,
    what,
    on: [(look) => operator.gate.subscribe(look)],
    value: () => (isSo() ? true : undefined),
    standing: () => JSON.stringify([counts('LIST'), counts('WATCH'), operator.gate.refused.slice(-10)]),
    withinMs: PATIENCE_MS,
    signal: world.trouble,
  });
}

/** Lists of watched kinds that the API server has answered so far, by kind. */
async function listed(): Promise<readonly string[]> {
  const lists = (await asked(world)).filter(({ verb, code }) => verb === 'list' && code === 200);
  return lists.map(({ resource }) => resource).filter((resource) => WATCHED.includes(resource));
}

function cut(): void {
  expect(operator.proxy.cutWatches()).toBe(WATCHED.length);
}

async function works(): Promise<void> {
  await ask(world, NAME);
  await untilThere(world, NAME);
  await askBack(world, NAME);
  await untilBack(world, NAME);
}

describe('an operator', () => {
  test('reads each kind once', async () => {
    expect([...(await listed())].sort()).toEqual(WATCHED);
  });

  test('whose watches are cut watches on, and lists nothing', async () => {
    cut();
    // Meanwhile things happen: nothing of it is missed.
    await works();
    await untilGate('every kind is watched again', () => WATCHED.every((kind) => (counts('WATCH')[kind] ?? 0) > 0));
    expect(counts('WATCH')).toEqual(each(1));
    expect(counts('LIST')).toEqual(each(0));
  });

  test('notices nothing of a compaction of etcd', async () => {
    await world.control.compactEtcd();
    cut();
    await works();
    await untilGate('every kind is watched again', () => WATCHED.every((kind) => (counts('WATCH')[kind] ?? 0) > 0));
    expect(counts('WATCH')).toEqual(each(1));
    expect(counts('LIST')).toEqual(each(0));
  });

  test('that is turned away tries again when it is told to, and lists nothing', async () => {
    operator.gate.turnsAway = (label) => label.startsWith('WATCH ') || label.includes('composab');
    await ask(world, NAME);
    await untilGate('a write is turned away', () => operator.gate.refused.includes('429 PATCH composabilityrequests'));
    cut();
    const turnedAway = () => new Set(operator.gate.refused.filter((one) => one.startsWith('429 WATCH ')));
    await untilGate('every watch is turned away', () => turnedAway().size === WATCHED.length);
    operator.gate.turnsAway = () => false;
    await untilThere(world, NAME);
    await askBack(world, NAME);
    await untilBack(world, NAME);
    expect(counts('LIST')).toEqual(each(0));
    for (const kind of WATCHED) expect(counts('WATCH')[kind]).toBeLessThanOrEqual(TRIES);
  });

  test('that priority and fairness let in one request at a time makes many devices all the same', async () => {
    await oneAtATime(world, world.account.user);
    const refused = operator.gate.refused.length;
    // Its devices are made all at once.
    await ask(world, NAME, CROWD);
    await untilRunning(world, NAME, CROWD);
    await askBack(world, NAME);
    await untilBack(world, NAME);
    await allAtOnce(world);
    expect(operator.gate.refused.slice(refused).filter((one) => one.startsWith('429 '))).not.toEqual([]);
    expect(counts('LIST')).toEqual(each(0));
  });

  test('whose API server is started again, without a history, lists each kind once at most', async () => {
    await works();
    const before = await listed();
    from = operator.gate.seen.length;
    await world.control.compactEtcd();
    await world.control.restartApiserver();
    await works();
    await untilGate('every kind is watched again', () => WATCHED.every((kind) => (counts('WATCH')[kind] ?? 0) > 0));
    const lists = (await listed()).slice(before.length);
    expect(lists).toEqual([...new Set(lists)]);
    for (const kind of WATCHED) expect(counts('WATCH')[kind]).toBeLessThanOrEqual(TRIES);
  });

  test('attached as many devices as were asked for, and complained of connections only', async () => {
    const { attach, detach } = world.fabric.calls();
    expect(attach).toBe(detach);
    world.fabric.assertPoolWhole();
    const complained = (await complaints(operator)).filter(({ nodeActions }) => nodeActions === undefined);
    const messages = new Set(complained.map(({ message }) => message));
    expect([...messages].filter((message) => !OF_CONNECTIONS.includes(message))).toEqual([]);
  });
});

/** What an operator may say when its API server does not answer, or turns it away. */
const OF_CONNECTIONS = [
  'list-watch failed, trying again',
  'the lease was not renewed, trying again',
  'an event was not sent',
];
