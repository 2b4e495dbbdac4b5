import { systemClock as clock } from '@cro/clock';
import type { ComposableResource } from '@cro/crd-types';
import { requestKind, until } from '@cro/demo';
import { DCGM, DEVICE_PLUGIN, DRIVER_POD, type DaemonSetSpec, type Equipment } from '@cro/node-sim';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEVICE_PLUGIN_ROLES } from './support/account.ts';
import { watchKind, type Cache, type Kind } from '@cro/kube-runtime';
import {
  daemonSetKind,
  fieldAt,
  namespaceKind,
  nodeKind,
  podKind,
  serviceAccountKind,
  type PlainObject,
} from './support/kinds.ts';
import { layMetal3 } from './support/metal3.ts';
import { asked, complaints, told } from './support/records.ts';
import { untilGone } from './support/waits.ts';
import { MODEL, startWorld, type World } from './support/world.ts';

/** Drivers in the GPU Operator's pods, and its device plugin, which looks at its start which GPUs its node has. */
const EQUIPMENT: Equipment = {
  pods: [DRIVER_POD],
  daemonSets: [DEVICE_PLUGIN, DCGM],
  publisher: 'afterRestart',
  restartMs: 200,
  host: { driver: 'container' },
};
const NODES = ['worker-0', 'worker-1', 'worker-2'];
const PODS = 'ml';
const POD = 'train';

let world: World;
let seen: Readonly<Record<'nodes' | 'sets', Cache<PlainObject>>>;
const end = new AbortController();

beforeAll(async () => {
  world = await startWorld({ equipment: EQUIPMENT, roles: DEVICE_PLUGIN_ROLES, webhook: false });
  const machines = Object.keys(world.fabric.snapshot().machines);
  await layMetal3(
    world,
    machines.map((machine, index) => ({ node: `worker-${index}`, machine })),
  );
  const { client, transport } = world;
  const watch = (kind: Kind<PlainObject>) =>
    watchKind(kind, { client, transport, clock, random: Math.random, signal: end.signal });
  seen = { nodes: watch(nodeKind), sets: watch(daemonSetKind) };
  await world.startOperator({
    DEVICE_RESOURCE_TYPE: 'DEVICE_PLUGIN',
    ENABLE_WEBHOOKS: 'false',
    FTI_CDI_CLUSTER_ID: '00000000-4000-4000-8000-000000000000',
    // Longer than the three nodes take, one after the other, on a machine that has much else to do.
    CRO_PUBLISH_WAIT_SECONDS: '4',
  });
});

afterAll(async () => {
  end.abort(new Error('seen enough'));
  await world.close();
});

async function ask(name: string, node: string, size: number): Promise<void> {
  const resource = { type: 'gpu', model: MODEL, size, target_node: node };
  const outcome = await world.client.create(requestKind, { metadata: { name }, spec: { resource } });
  expect(outcome).toMatchObject({ tag: 'done' });
}

async function askBack(name: string): Promise<void> {
  expect(await world.client.delete(requestKind, { name })).toMatchObject({ tag: 'done' });
}

function devices(): readonly ComposableResource[] {
  return world.caches.resources.list();
}

function standing(): string {
  return JSON.stringify(devices().map(({ metadata, status }) => [metadata.name, status?.state, status?.error]));
}

async function untilDevices(what: string, holds: (all: readonly ComposableResource[]) => boolean): Promise<void> {
  const { requests, resources } = world.caches;
  await until({
    ...{ clock, what, standing, withinMs: 90_000, signal: world.trouble },
    on: [(look) => requests.subscribe(look), (look) => resources.subscribe(look)],
    value: () => (holds(devices()) ? true : undefined),
  });
}

const areOnline = (count: number) => (all: readonly ComposableResource[]) =>
  all.length === count && all.every(({ status }) => status?.state === 'Online');

/** How many times a DaemonSet was restarted as a whole: the API server counts changes of its spec. */
function rollouts({ name, namespace }: DaemonSetSpec): number {
  return Number(fieldAt(seen.sets.get(name, namespace), 'metadata', 'generation')) - 1;
}

/** How many times each node's pod of the device plugin came anew. */
function restarts(): readonly number[] {
  return NODES.map((node) => world.nodes.restarts(DEVICE_PLUGIN.name, node));
}

/** Waits until the nodes offer so many GPUs, and of both DaemonSets all pods are of the newest template, and the plugin is ready on so many nodes. */
async function untilOffered(expected: readonly string[], ready = NODES.length): Promise<void> {
  const { nodes, sets } = seen;
  const offered = () =>
    NODES.map((node) => fieldAt(nodes.get(node), 'status', 'allocatable', 'nvidia.com/gpu') ?? '0').join();
  const statusOf = ({ name, namespace }: DaemonSetSpec) => fieldAt(sets.get(name, namespace), 'status');
  const isNewest = (set: DaemonSetSpec) =>
    fieldAt(statusOf(set), 'observedGeneration') === rollouts(set) + 1 &&
    fieldAt(statusOf(set), 'updatedNumberScheduled') === NODES.length;
  const isSettled = () =>
    [DEVICE_PLUGIN, DCGM].every(isNewest) && fieldAt(statusOf(DEVICE_PLUGIN), 'numberReady') === ready;
  await until({
    ...{ clock, what: `the nodes offer ${expected.join()}`, withinMs: 60_000, signal: world.trouble },
    on: [(look) => nodes.subscribe(look), (look) => sets.subscribe(look)],
    value: () => (offered() === expected.join() && isSettled() ? true : undefined),
    standing: () => `${offered()} ${JSON.stringify([DEVICE_PLUGIN, DCGM].map(statusOf))}`,
  });
}

/** A pod that got one of the GPUs of a node, from a scheduler that is not there. */
async function runPod(node: string): Promise<void> {
  const { client } = world;
  const limits = { 'nvidia.com/gpu': '1' };
  const outcomes = [
    await client.create(namespaceKind, { metadata: { name: PODS } }),
    await client.create(serviceAccountKind, { metadata: { name: 'default', namespace: PODS } }),
    await client.create(podKind, {
      metadata: { name: POD, namespace: PODS },
      spec: {
        nodeName: node,
        automountServiceAccountToken: false,
        containers: [{ name: 'main', image: 'simulated.invalid/main', resources: { limits } }],
      },
    }),
  ];
  for (const outcome of outcomes) expect(outcome).toMatchObject({ tag: 'done' });
}

describe('GPUs that a device plugin offers, under the roles that are shipped', () => {
  test('four come to three nodes at once: both DaemonSets are restarted once, and all nodes offer them', async () => {
    for (const [index, node] of NODES.entries()) await ask(`on-${index}`, node, index === 0 ? 2 : 1);
    await untilDevices('four are online', areOnline(4));
    await untilOffered(['2', '1', '1']);
    // The plugin's pods may be new, and the devices Online, before the other one is restarted.
    await until({
      ...{ clock, what: 'both DaemonSets were restarted', withinMs: 60_000, signal: world.trouble },
      on: [(look) => seen.sets.subscribe(look)],
      value: () => (rollouts(DCGM) > 0 ? true : undefined),
    });
    expect([DEVICE_PLUGIN, DCGM].map(rollouts)).toEqual([1, 1]);
    expect(restarts()).toEqual([1, 1, 1]);
    expect(world.fabric.calls()).toMatchObject({ attach: 4, detach: 0 });
  });

  test('of the two on one node one stays for the pod that requests one, and says so', async () => {
    await runPod('worker-0');
    await askBack('on-0');
    const isHeld = ({ status }: ComposableResource) => status?.error?.includes(`in use by pod ${PODS}/${POD}`) ?? false;
    await untilDevices('one has left, and one is held', (all) => all.length === 3 && all.some(isHeld));
    await untilOffered(['1', '1', '1']);
    expect(world.fabric.calls().detach).toBe(1);
  });

  test('as soon as that pod has ended, it leaves; with two others, all DaemonSets being restarted once for the three', async () => {
    const before = rollouts(DEVICE_PLUGIN);
    const { status } = await world.send('DELETE', `/api/v1/namespaces/${PODS}/pods/${POD}?gracePeriodSeconds=0`);
    expect(status).toBe(200);
    for (const name of ['on-1', 'on-2']) await askBack(name);
    await untilGone(world, 'on-0');
    await untilOffered(['0', '0', '0']);
    expect(rollouts(DEVICE_PLUGIN)).toBe(before + 1);
    expect(world.fabric.calls()).toMatchObject({ attach: 4, detach: 4 });
    world.fabric.assertPoolWhole();
  });

  test('a node whose plugin does not get ready keeps none from coming to another one', async () => {
    await world.nodes.setDaemonReady(DEVICE_PLUGIN.name, 'worker-2', false);
    const before = { restarts: restarts(), rollouts: rollouts(DEVICE_PLUGIN) };
    await ask('beside', 'worker-1', 1);
    await untilDevices('it is online', areOnline(1));
    await untilOffered(['0', '1', '0'], NODES.length - 1);
    expect(restarts().map((now, index) => now - (before.restarts[index] ?? 0))).toEqual([0, 1, 0]);
    expect(rollouts(DEVICE_PLUGIN)).toBe(before.rollouts);
  });

  test('the operator has complained of nothing but what it waited for, was refused nothing, and looked at no ResourceSlice', async () => {
    const others = (await complaints(world)).filter(({ message }) => message !== 'failing');
    expect(others).toEqual([]);
    const entries = await asked(world);
    expect(entries.filter(({ code }) => code === 401 || code === 403).map(told)).toEqual([]);
    expect(entries.filter(({ group }) => group === 'resource.k8s.io').map(told)).toEqual([]);
  });
});
