import { fabricManager } from '@cro/cdi-fti';
import { systemClock as clock } from '@cro/clock';
import { requestKind, until } from '@cro/demo';
import { covers, type Access } from '@cro/kube-runtime';
import { DRA_PLUGIN, NODE_AGENT, type Equipment } from '@cro/node-sim';
import { DEPLOYED, operatorAccess, webhookAccess } from '@cro/operator';
import { watch } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Program } from '../../src/index.ts';
import { fieldAt } from './support/kinds.ts';
import { layMetal3 } from './support/metal3.ts';
import { conditionOf } from './support/plane.ts';
import { asked, told } from './support/records.ts';
import { readRecords, usedIn } from './support/used-access.ts';
import { untilGone, untilRunning } from './support/waits.ts';
import { MODEL, NAMESPACE, startWorld, type World } from './support/world.ts';

/** Drivers on the hosts, reached through agents; what publishes their devices notices none by itself. */
const EQUIPMENT: Equipment = {
  pods: [NODE_AGENT],
  daemonSets: [DRA_PLUGIN],
  publisher: 'afterRestart',
  restartMs: 200,
};

let world: World;
let operator: Program;

beforeAll(async () => {
  world = await startWorld({ equipment: EQUIPMENT });
  const machines = Object.keys(world.fabric.snapshot().machines);
  await layMetal3(
    world,
    machines.map((machine, index) => ({ node: `worker-${index}`, machine })),
  );
  operator = await world.startOperator({
    FTI_CDI_CLUSTER_ID: '00000000-4000-4000-8000-000000000000',
    CRO_ORPHAN_GRACE_SECONDS: '1',
    // A plugin that is younger than ten seconds is not restarted: so the first restart finds it old enough.
    CRO_PUBLISH_WAIT_SECONDS: '10',
  });
});

afterAll(async () => {
  await world.close();
});

async function create(name: string, more: object): Promise<void> {
  const resource = { type: 'gpu', model: MODEL, size: 1, ...more };
  const outcome = await world.client.create(requestKind, { metadata: { name }, spec: { resource } });
  expect(outcome).toMatchObject({ tag: 'done' });
}

/** What is asked seldom, so that each rule is seen to be needed. */
describe('under the roles that are shipped', () => {
  test('a node is found along the objects of the cluster API, and its pods are counted', async () => {
    await create('roomy', { other_spec: { milli_cpu: 1 } });
    await untilRunning(world, 'roomy', 1);
  });

  test('the DRA driver of that node alone was restarted, to see its device', () => {
    const [device] = world.caches.resources.list();
    const nodes = Object.keys(world.fabric.snapshot().machines).map((_, index) => `worker-${index}`);
    const restarted = nodes.filter((node) => world.nodes.restarts(DRA_PLUGIN.name, node) > 0);
    expect(restarted).toEqual([device?.spec.target_node]);
  });

  test('a request for a node that is not there goes', async () => {
    await create('nowhere', { target_node: 'nowhere' });
    await until({
      clock,
      what: 'the request is gone',
      on: [(look) => world.caches.requests.subscribe(look)],
      value: () => (world.caches.requests.get('nowhere') === undefined ? true : undefined),
      withinMs: 30_000,
      signal: world.trouble,
    });
  });

  test('a device that nobody owns goes back', async () => {
    const { machines, free } = world.fabric.snapshot();
    const [device] = free;
    const [machine] = Object.keys(machines);
    if (device === undefined || machine === undefined) throw new Error('nothing is free');
    world.fabric.move(device, machine);
    const isBack = () => world.fabric.snapshot().free.includes(device);
    const remembered = () => fieldAt(world.caches.configMaps.get('cro-syncer', NAMESPACE), 'data', 'firstSeen');
    await until({
      clock,
      what: 'the device is remembered',
      on: [(look) => world.caches.configMaps.subscribe(look)],
      value: () => (String(remembered()).includes(device) ? true : undefined),
      withinMs: 60_000,
      signal: world.trouble,
    });
    await until({
      clock,
      what: 'the device is back in the pool, and forgotten',
      on: [(look) => world.fabric.subscribe(look), (look) => world.caches.configMaps.subscribe(look)],
      value: () => (isBack() && remembered() === '{}' ? true : undefined),
      withinMs: 60_000,
      signal: world.trouble,
    });
  });

  test('what happens again is counted in its event', async () => {
    const [device] = Object.values(world.fabric.snapshot().machines).flat();
    if (device === undefined) throw new Error('nothing is attached');
    for (const [opStatus, healthy] of [
      ['2', 'False'],
      ['0', 'True'],
      ['2', 'False'],
    ] as const) {
      world.fabric.setHealth(device, opStatus);
      await until({
        clock,
        what: `the device is healthy: ${healthy}`,
        on: [(look) => world.caches.resources.subscribe(look)],
        value: () =>
          world.caches.resources.list().every((one) => conditionOf(one, 'Healthy') === healthy) ? true : undefined,
        withinMs: 30_000,
        signal: world.trouble,
      });
    }
  });

  test('everything goes back, and nothing was refused', async () => {
    expect(await world.client.delete(requestKind, { name: 'roomy' })).toMatchObject({ tag: 'done' });
    await untilGone(world, 'roomy');
    world.fabric.assertPoolWhole();
    expect((await asked(world)).filter(({ code }) => code === 401 || code === 403).map(told)).toEqual([]);
  });
});

test('each rule is needed: it was used in these suites, or says why that is rare', async () => {
  // A watch is in the audit log when it has ended.
  await operator.kill();
  const declared = [
    ...operatorAccess({ ...DEPLOYED, reads: fabricManager.reads, nodeActions: DEPLOYED.nodeActions }),
    ...webhookAccess({ namespace: DEPLOYED.namespace, configuration: DEPLOYED.configuration }),
  ];
  const before = await readRecords();
  const ordinary = declared.filter(({ rarely }) => rarely === undefined).flatMap(single);
  const unusedNow = async () => {
    const used = [...before, ...(await usedIn(world.control.auditLogPath))];
    return ordinary.filter((access) => !used.some((request) => covers(access, request)));
  };
  const { auditLogPath } = world.control;
  let unused = await unusedNow();
  const lookAgain = async (look: () => void) => {
    unused = await unusedNow();
    look();
  };
  await until({
    clock,
    what: 'each rule has been used',
    on: [
      (look) => {
        const watcher = watch(auditLogPath, () => void lookAgain(look));
        return () => {
          watcher.close();
        };
      },
    ],
    value: () => (unused.length === 0 ? true : undefined),
    standing: () => `nobody used: ${unused.map(lineOf).join('; ')}`,
    withinMs: 10_000,
    signal: world.trouble,
  });
});

function lineOf({ verbs, group, resource, names = [] }: Access): string {
  return [...verbs, group, resource, ...names].join(' ');
}

/** One verb, and one name. */
function single(access: Access): readonly Access[] {
  return access.verbs.flatMap((verb) =>
    access.names === undefined
      ? [{ ...access, verbs: [verb] }]
      : access.names.map((name) => ({ ...access, verbs: [verb], names: [name] })),
  );
}
