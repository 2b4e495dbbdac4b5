import { requestKind, resourceKind, until } from '@cro/demo';
import { systemClock as clock } from '@cro/clock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditEntry, Program } from '../../src/index.ts';
import { asked, complaints, told } from './support/records.ts';
import { REST_MS } from './support/rest.ts';
import { untilGone, untilHealthy, untilRunning, writtenWithin } from './support/waits.ts';
import { MODEL, startWorld, type World } from './support/world.ts';

const NAME = 'one';
const FINALIZER = 'com.ie.ibm.hpsys/finalizer';

/** What an operator may say of an API server that is away, and comes back without a memory. */
const OF_RESTART = [
  'list-watch failed, trying again',
  'an event was not sent',
  'the lease was not renewed, trying again',
];

/** An error of a connection. */
function isAway(error: unknown): boolean {
  return typeof error === 'string' && /socket hang up|ECONNRESET|ECONNREFUSED/.test(error);
}

/**
 * What a starting API server answers before its paths, its caches and the roles are there; and to a patch that tests a version which
 * is not the last one, as the watch that would tell it is not back yet. What it refuses so is granted later.
 */
function isOfRestart(entry: AuditEntry, at: number, all: readonly AuditEntry[]): boolean {
  const { code, verb, resource, namespace } = entry;
  if (code !== 403 && !(code === 422 && verb === 'patch')) return verb === 'watch' && (code === 503 || code === 429);
  const granted = all.slice(at + 1).filter((one) => one.code < 400);
  return granted.some((one) => one.verb === verb && one.resource === resource && one.namespace === namespace);
}

let world: World;
let operator: Program;

beforeAll(async () => {
  // Nothing is done on nodes: what is asked while the API server is away is told apart here request by request.
  world = await startWorld();
  operator = await world.startOperator();
});

afterAll(async () => {
  await world.close();
});

async function create(name: string): Promise<void> {
  const resource = { type: 'gpu', model: MODEL, size: 1 };
  const outcome = await world.client.create(requestKind, { metadata: { name }, spec: { resource } });
  expect(outcome).toMatchObject({ tag: 'done' });
}

function device() {
  const [first] = world.caches.resources.list();
  if (first === undefined) throw new Error('there is no ComposableResource');
  return first;
}

describe('trouble on a real control plane', () => {
  test('the API server is killed and comes back: the operator goes on, and nothing is attached again', async () => {
    await create(NAME);
    await untilRunning(world, NAME, 1);
    await world.control.restartApiserver();
    const value = { spec: { resource: { size: 2 } } };
    const outcome = await world.client.patch(requestKind, { name: NAME }, { type: 'merge', value });
    expect(outcome).toMatchObject({ tag: 'done' });
    await untilRunning(world, NAME, 2);
    expect(world.fabric.calls()).toMatchObject({ attach: 2, detach: 0 });
  });

  test('a finalizer that is taken away by hand comes back', async () => {
    const { name } = device().metadata;
    const value = { metadata: { finalizers: null } };
    expect(await world.client.patch(resourceKind, { name }, { type: 'merge', value })).toMatchObject({ tag: 'done' });
    await until({
      clock,
      what: `${name} has its finalizer again`,
      on: [(look) => world.caches.resources.subscribe(look)],
      value: () => (world.caches.resources.get(name)?.metadata.finalizers?.includes(FINALIZER) ? true : undefined),
      withinMs: 20_000,
      signal: world.trouble,
    });
  });

  test('an owner link that is taken away by hand comes back', async () => {
    const { name, ownerReferences } = device().metadata;
    expect(ownerReferences).toHaveLength(1);
    const value = { metadata: { ownerReferences: null } };
    expect(await world.client.patch(resourceKind, { name }, { type: 'merge', value })).toMatchObject({ tag: 'done' });
    const present = () => world.caches.resources.get(name)?.metadata.ownerReferences;
    await until({
      clock,
      what: `${name} has its owner link again`,
      on: [(look) => world.caches.resources.subscribe(look)],
      value: () => (present()?.length === 1 ? true : undefined),
      withinMs: 20_000,
      signal: world.trouble,
    });
    expect(present()).toEqual(ownerReferences);
  });

  test('then nothing is written', async () => {
    await untilHealthy(world);
    expect(await writtenWithin(world, REST_MS)).toEqual([]);
    const refused = (await asked(world)).filter((...one) => one[0].code >= 400 && !isOfRestart(...one)).map(told);
    expect(refused.filter((one) => !one.startsWith('404 get '))).toEqual([]);
  });

  test('while the webhook is down, labels change and objects are deleted, but no spec is changed', async () => {
    await operator.kill();
    const patch = (value: object) => world.client.patch(requestKind, { name: NAME }, { type: 'merge', value });
    expect(await patch({ metadata: { labels: { a: 'b' } } })).toMatchObject({ tag: 'done' });
    expect(await patch({ spec: { resource: { size: 3 } } })).toMatchObject({ tag: 'unknown', error: { status: 500 } });
    expect(await world.client.delete(requestKind, { name: NAME })).toMatchObject({ tag: 'done' });
    operator = await world.startOperator();
    await untilGone(world, NAME);
    world.fabric.assertPoolWhole();
  });

  test('what the operator complained of is the API server that was away', async () => {
    const complained = (await complaints(world)).filter(({ nodeActions }) => nodeActions === undefined);
    const others = complained.filter(({ message, error }) => !OF_RESTART.includes(message) && !isAway(error));
    expect(others).toEqual([]);
    expect(complained.length).toBeGreaterThan(0);
  });
});
