import type { ComposableResource } from '@cro/crd-types';
import { systemClock as clock } from '@cro/clock';
import { until } from '@cro/demo';
import { watchKind, type Cache } from '@cro/kube-runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startContender, type Contender, type ContenderTimes } from './support/contender.ts';
import type { Held } from './support/gate.ts';
import { eventKind, fieldAt, type PlainObject } from './support/kinds.ts';
import { ask, askBack, untilBack, untilThere } from './support/one-device.ts';
import { REST_MS } from './support/rest.ts';
import { forbid } from './support/rights.ts';
import { RULE_VERSION, taintRules } from './support/taint-rules.ts';
import { untilHealthy, writtenWithin } from './support/waits.ts';
import { startWorld, type World } from './support/world.ts';

/*
 * A device that leaves, on an API server that does not offer DeviceTaintRules, that comes to offer them, and that lets nobody
 * write them.
 */

const NAME = 'story';
/** Of the calls of a detach the one that takes the device away, before it reaches the fabric. */
const LEAVING = { label: 'DELETE /fabric_manager/api/v1/machines/-/update', nth: 1, side: 'before' } as const;
/** It is looked for rules once a minute. */
const PATIENCE_MS = 120_000;
/** Long: the API server is away for a while. */
const LEASE = { duration: 60_000, renewDeadline: 50_000, retryPeriod: 1_000 };
/** What has to be changed in a cluster of this version. */
const MISSING =
  RULE_VERSION === 'v1'
    ? ['DRADeviceTaintRules=true', '--runtime-config', 'resource.k8s.io/v1/devicetaintrules']
    : ['DRADeviceTaints=true', '--runtime-config=resource.k8s.io/v1alpha3=true'];

const end = new AbortController();
let world: World;
let events: Cache<PlainObject>;
let operator: Contender;
let started = 0;
const lives: Contender[] = [];

beforeAll(async () => {
  world = await startWorld({ webhook: false, taintRules: 'notServed' });
  const { client, transport } = world;
  events = watchKind(eventKind, { client, transport, clock, random: Math.random, signal: end.signal });
  await events.whenSynced(end.signal);
});

afterAll(async () => {
  for (const life of lives) await life.close();
  end.abort(new Error('the suite is over'));
  await world.close();
});

async function start(withoutFence: ContenderTimes['withoutFence']): Promise<void> {
  const times = { settleSeconds: 5, syncSeconds: 3, lease: LEASE, withoutFence };
  operator = await startContender(world, `operator-${started}`, times);
  started += 1;
  lives.push(operator);
  await operator.untilLeads();
}

/** A device that is Online, and known to be well: nothing is written of it any more. */
async function oneOnline(): Promise<void> {
  await ask(world, NAME);
  await untilThere(world, NAME);
  await untilHealthy(world);
}

function device(): ComposableResource {
  const [only] = world.caches.resources.list();
  if (only === undefined) throw new Error('there is no ComposableResource');
  return only;
}

function condition({ status }: ComposableResource, type: string) {
  return status?.conditions?.find((one) => one.type === type);
}

async function untilReason(reason: string): Promise<void> {
  await until({
    clock,
    what: `the device stays with reason ${reason}`,
    on: [(look) => world.caches.resources.subscribe(look)],
    value: () => (condition(device(), 'Ready')?.reason === reason ? true : undefined),
    standing: () => JSON.stringify(device().status),
    withinMs: PATIENCE_MS,
    signal: world.trouble,
  });
}

/** What was told of a device with a reason; waits for the first. */
async function toldOf(name: string, reason: string): Promise<readonly PlainObject[]> {
  const found = () =>
    events.list().filter((one) => one['reason'] === reason && fieldAt(one, 'involvedObject', 'name') === name);
  await until({
    clock,
    what: `an event ${reason} about ${name}`,
    on: [(look) => events.subscribe(look)],
    value: () => (found().length > 0 ? true : undefined),
    withinMs: PATIENCE_MS,
    signal: world.trouble,
  });
  return found();
}

/** The device's own rule, and no other, while it leaves. */
async function expectFenced(): Promise<void> {
  const { metadata, spec, status } = device();
  expect(status).toMatchObject({ state: 'Detaching' });
  expect(await taintRules(world)).toMatchObject([
    {
      metadata: { name: `${metadata.name}-taint`, ownerReferences: [{ uid: metadata.uid }] },
      spec: {
        deviceSelector: { driver: 'gpu.nvidia.com', pool: spec.target_node },
        taint: { key: 'k8s.io/device-uuid', value: status?.device_id, effect: 'NoSchedule' },
      },
    },
  ]);
}

/** Sees the device leave, behind its fence, and the fence go. */
async function leaves(leaving: Promise<Held>): Promise<void> {
  const held = await leaving;
  await expectFenced();
  held.release();
  await untilBack(world, NAME);
  expect(await taintRules(world)).toEqual([]);
}

describe('where DeviceTaintRules are not served', () => {
  test('a device may leave without a fence, where that is configured, and says what is missing', async () => {
    await start('continue');
    await oneOnline();
    const { name } = device().metadata;
    const leaving = operator.gate.hold(LEAVING, PATIENCE_MS);
    await askBack(world, NAME);
    const held = await leaving;
    const fenced = condition(device(), 'Fenced');
    expect(fenced).toMatchObject({ status: 'False', reason: 'FenceNotServed' });
    for (const part of MISSING) expect(fenced?.message).toContain(part);
    held.release();
    await untilBack(world, NAME);
    const told = await toldOf(name, 'FenceNotServed');
    expect(told).toMatchObject([{ type: 'Warning', message: fenced?.message }]);
    await operator.program.stop(clock, PATIENCE_MS);
  });

  test('else it stays, says it once, and nothing is written any more', async () => {
    await start('refuse');
    await oneOnline();
    const { detach } = world.fabric.calls();
    await askBack(world, NAME);
    await untilReason('FenceNotServed');
    const { metadata, status } = device();
    expect(status).toMatchObject({ state: 'Detaching' });
    for (const part of [...MISSING, 'CRO_WITHOUT_FENCE=continue']) expect(status?.error).toContain(part);
    expect(await toldOf(metadata.name, 'FenceNotServed')).toMatchObject([{ type: 'Warning', message: status?.error }]);
    // The request copies its device's words, at most once a second.
    await writtenWithin(world, 2_000);
    expect(await writtenWithin(world, REST_MS)).toEqual([]);
    expect(world.fabric.calls().detach).toBe(detach);
  });

  test('until they are: it leaves by itself, behind a fence', async () => {
    const leaving = operator.gate.hold(LEAVING, PATIENCE_MS);
    await world.control.restartApiserver({ taintRules: 'served' });
    await leaves(leaving);
  });
});

describe('where they are served', () => {
  test(`a device leaves behind a fence in ${RULE_VERSION}`, async () => {
    await oneOnline();
    const leaving = operator.gate.hold(LEAVING, PATIENCE_MS);
    await askBack(world, NAME);
    await leaves(leaving);
  });

  test('and the operator may not write them, a device stays, and leaves when it may', async () => {
    await oneOnline();
    const allow = await forbid(world, 'devicetaintrules');
    const { detach } = world.fabric.calls();
    await askBack(world, NAME);
    await untilReason('FenceForbidden');
    const { metadata, status } = device();
    expect(status?.error).toContain('grant get, create and delete of devicetaintrules');
    expect(await toldOf(metadata.name, 'FenceForbidden')).toMatchObject([{ type: 'Warning', message: status?.error }]);
    expect(world.fabric.calls().detach).toBe(detach);
    const leaving = operator.gate.hold(LEAVING, PATIENCE_MS);
    await allow();
    await leaves(leaving);
  });
});
