import { requestKind } from '@cro/demo';
import { DRA_PLUGIN, DRIVER_POD, type Equipment } from '@cro/node-sim';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Program } from '../../src/index.ts';
import { askFor } from './support/one-device.ts';
import { asked, complaints, told } from './support/records.ts';
import { STORY_REST_MS } from './support/rest.ts';
import { untilGone, untilHealthy, untilRenewedWith, untilRunning, writtenWithin } from './support/waits.ts';
import { MODEL, startWorld, type World } from './support/world.ts';

const NAME = 'two';
/** Drivers in the GPU Operator's pods: every command has to reach one of those. */
const EQUIPMENT: Equipment = { pods: [DRIVER_POD], daemonSets: [DRA_PLUGIN], host: { driver: 'container' } };

let world: World;
let operator: Program;

beforeAll(async () => {
  world = await startWorld({ equipment: EQUIPMENT });
  operator = await world.startOperator();
});

afterAll(async () => {
  await world.close();
});

const resize = (size: number) => askFor(world, NAME, size);

describe('the operator on a real control plane', () => {
  test('a request of two goes to Running', async () => {
    const resource = { type: 'gpu', model: MODEL, size: 2, allocation_policy: 'samenode' };
    const outcome = await world.client.create(requestKind, { metadata: { name: NAME }, spec: { resource } });
    expect(outcome).toMatchObject({ tag: 'done' });
    await untilRunning(world, NAME, 2);
    expect(world.fabric.calls()).toMatchObject({ attach: 2, detach: 0 });
    expect(new Set(world.caches.resources.list().map(({ spec }) => spec.target_node)).size).toBe(1);
  });

  test('it grows to three', async () => {
    await resize(3);
    await untilRunning(world, NAME, 3);
    expect(world.fabric.calls()).toMatchObject({ attach: 3, detach: 0 });
  });

  test('a request that cannot be right is refused', async () => {
    const resource = {
      type: 'gpu',
      model: MODEL,
      size: 1,
      allocation_policy: 'differentnode',
      target_node: 'worker-0',
    };
    const outcome = await world.client.create(requestKind, { metadata: { name: 'bad' }, spec: { resource } });
    expect(outcome).toMatchObject({ tag: 'refused', error: { status: 403 } });
    const reason = "TargetNode cannot be specified when AllocationPolicy is set to 'differentnode'";
    expect(JSON.stringify(outcome)).toContain(reason);
  });

  test('it shrinks to one', async () => {
    await resize(1);
    await untilRunning(world, NAME, 1);
    expect(world.fabric.calls()).toMatchObject({ attach: 3, detach: 2 });
  });

  test('killed during an attach, it is taken over, and nothing is attached twice', async () => {
    const called = world.nextFabricPatch();
    await resize(2);
    await called;
    await operator.kill();
    operator = await world.startOperator();
    await untilRunning(world, NAME, 2);
    expect(world.fabric.calls()).toMatchObject({ attach: 4, detach: 2 });
  });

  test('a token that is rotated is used from then on, without a restart', async () => {
    const credential = await world.account.rotate();
    // The lease is renewed all the time, whatever else there is to do.
    await untilRenewedWith(world, credential);
  });

  test('at rest nothing is written', async () => {
    await untilHealthy(world);
    expect(await writtenWithin(world, STORY_REST_MS)).toEqual([]);
  });

  test('deleted, it gives everything back', async () => {
    expect(await world.client.delete(requestKind, { name: NAME })).toMatchObject({ tag: 'done' });
    await untilGone(world, NAME);
    world.fabric.assertPoolWhole();
    expect(world.fabric.calls()).toMatchObject({ attach: 4, detach: 4 });
    await world.nodes.settled();
  });

  test('then nothing is written any more', async () => {
    expect(await writtenWithin(world, STORY_REST_MS)).toEqual([]);
  });

  test('the operator has nothing to complain of, and was refused nothing', async () => {
    expect(await complaints(world)).toEqual([]);
    const refused = (await asked(world)).filter(({ code }) => code >= 400).map(told);
    // What it looks for, and makes when it is not there.
    expect(refused.filter((one) => !one.startsWith('404 get '))).toEqual([]);
  });
});
