import { DCGM, DEVICE_PLUGIN, NODE_AGENT, type Equipment } from '@cro/node-sim';
import { describe, expect, it } from 'vitest';
import { annotate, bringUp, childrenOf, onlyResource, reasonOf, takeDown } from './world/acts.ts';
import { NVIDIA } from './world/gpu-operator.ts';
import { putRequest, REQUESTS, requestOf, RESOURCES, resourcesOf, runsWith, until } from './world/objects.ts';
import { makeWorld, type World } from './world/world.ts';

const DAEMONS = [DEVICE_PLUGIN, DCGM];
const NODES = ['worker-0', 'worker-1'];
const { gpuOperatorNamespace } = NVIDIA;

/** Two nodes whose GPUs a device plugin offers: it sees at its start which there are, and at no other time. */
async function pluginWorld(daemonSets: Equipment['daemonSets'] = DAEMONS, nodes = NODES.length) {
  const world = await makeWorld({
    nodes,
    equipment: { pods: [NODE_AGENT], daemonSets, publisher: 'afterRestart', restartMs: 3_000 },
    nodeActions: { tag: 'nvidiaDevicePlugin', gpuOperatorNamespace, publishWaitMs: 2_000 },
    fence: { tag: 'none' },
  });
  let life = world.startOperator();
  await world.clock.advance(20_000);
  const restartOperator = () => {
    life.kill();
    life = world.startOperator();
  };
  return { ...world, restartOperator };
}

/** Two devices on the first node, which is at rest again. */
async function bringUpTwo(world: World): Promise<void> {
  await bringUp(world, 'story', { size: 2, target_node: 'worker-0' });
  await world.clock.advance(30_000);
}

function restarts(world: World): number[] {
  return DAEMONS.flatMap(({ name }) => NODES.map((node) => world.nodes.restarts(name, node)));
}

function offered(world: World): unknown[] {
  return NODES.map((node) => {
    const { status } = world.kube.objects.get('nodes', node) as { status?: { allocatable?: Record<string, string> } };
    return status?.allocatable?.['nvidia.com/gpu'];
  });
}

function gpuPod(name: string, gpus: number) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'ml' },
    spec: {
      nodeName: 'worker-0',
      containers: [{ name: 'train', resources: { requests: { 'nvidia.com/gpu': String(gpus) } } }],
    },
  };
}

describe('where a device plugin offers GPUs', () => {
  it('four come to two nodes and leave them, with one restart for each wave, few commands, and no ResourceSlice', async () => {
    const world = await pluginWorld();
    const seen: string[] = [];
    world.gates.after = (what) => seen.push(what);
    const commands = () => seen.filter((what) => what.startsWith('EXEC ')).length;
    NODES.forEach((node, n) => {
      putRequest(world, `story-${n}`, { size: 2, target_node: node });
    });
    await until(world, 'Running', () => NODES.every((_, n) => runsWith(world, `story-${n}`, 2)), 60_000);
    await world.clock.advance(30_000);
    expect(restarts(world)).toEqual([1, 1, 1, 1]);
    expect(offered(world)).toEqual(['2', '2']);
    const attached = commands();
    expect(attached).toBeGreaterThan(0);
    expect(attached).toBeLessThanOrEqual(4 * 2);

    NODES.forEach((_, n) => world.kube.objects.delete(REQUESTS, `story-${n}`));
    await until(world, 'gone', () => resourcesOf(world).length === 0, 120_000);
    await world.clock.advance(30_000);
    expect(restarts(world)).toEqual([2, 2, 2, 2]);
    expect(offered(world)).toEqual(['0', '0']);
    expect(commands() - attached).toBeGreaterThan(0);
    expect(commands() - attached).toBeLessThanOrEqual(2 * 6 + 2 * 8);

    expect(seen.filter((what) => what.includes('resource.k8s.io'))).toEqual([]);
    world.nodes.assertNoFaults();
    world.fabric.assertPoolWhole();
  });

  it('one stays while the pods of its node would have too few without it, and the pods are named', async () => {
    const world = await pluginWorld();
    await bringUpTwo(world);
    world.kube.objects.put(gpuPod('train-0', 2));
    world.kube.objects.delete(REQUESTS, 'story');
    await until(world, 'told', () => childrenOf(world, 'story').every((one) => reasonOf(one) === 'InUse'), 60_000);
    for (const { status } of resourcesOf(world)) expect(status?.error).toContain('in use by pod ml/train-0');
    await world.clock.advance(120_000);
    expect(world.fabric.calls().detach).toBe(0);
    world.kube.objects.delete('pods', 'train-0', 'ml');
    await until(world, 'on their way', () => world.fabric.calls().detach === 2, 5_000);
    await until(world, 'gone', () => requestOf(world, 'story') === undefined, 60_000);
    expect(world.fabric.calls().detach).toBe(2);
    world.nodes.assertNoFaults();
  });

  it('of two that leave at once, one stays for the pod of their node, and leaves as soon as that has ended', async () => {
    const world = await pluginWorld();
    const asked: string[] = [];
    world.gates.before = (what) => asked.push(what);
    const podWatches = () =>
      asked.splice(0).filter((what) => what.startsWith('GET /api/v1/pods?') && what.includes('watch=')).length;
    await bringUpTwo(world);
    world.kube.objects.put(gpuPod('train-0', 1));
    await world.clock.advance(3_600_000);
    expect(podWatches()).toBe(0);
    world.kube.objects.delete(REQUESTS, 'story');
    await until(world, 'one is gone', () => childrenOf(world, 'story').length === 1, 60_000);
    await world.clock.advance(600_000);
    expect(world.fabric.calls().detach).toBe(1);
    expect(onlyResource(world).status?.error).toContain('in use by pod ml/train-0');
    expect(podWatches()).toBeGreaterThan(0);

    const ended = world.kube.objects.get('pods', 'train-0', 'ml');
    world.kube.objects.put({ ...ended, status: { phase: 'Succeeded' } });
    await until(world, 'on its way', () => world.fabric.calls().detach === 2, 5_000);
    await until(world, 'gone', () => requestOf(world, 'story') === undefined, 60_000);
    podWatches();
    await world.clock.advance(3_600_000);
    expect(podWatches()).toBe(0);
    world.nodes.assertNoFaults();
  });

  it('one of the two stays although the process dies when the other was drained, and that one is held', async () => {
    const world = await pluginWorld();
    await bringUpTwo(world);
    world.kube.objects.put(gpuPod('train-0', 1));
    let drained = '';
    world.gates.after = (what) => {
      if (drained !== '' || !/^EXEC .* drain -p \S+ -r/s.test(what)) return;
      drained = childrenOf(world, 'story').find((one) => reasonOf(one) !== 'InUse')?.metadata.name ?? 'none';
      annotate(world, RESOURCES, drained, { 'cohdi.io/paused': 'true' });
      world.restartOperator();
    };
    world.kube.objects.delete(REQUESTS, 'story');
    await until(world, 'drained', () => drained !== '', 60_000);
    await world.clock.advance(120_000);
    expect(world.fabric.calls().detach).toBe(0);
    annotate(world, RESOURCES, drained, { 'cohdi.io/paused': 'false' });
    await until(world, 'one is gone', () => childrenOf(world, 'story').length === 1, 60_000);
    await world.clock.advance(120_000);
    expect(world.fabric.calls().detach).toBe(1);
    world.kube.objects.delete('pods', 'train-0', 'ml');
    await until(world, 'gone', () => requestOf(world, 'story') === undefined, 60_000);
    world.nodes.assertNoFaults();
  });

  it('a node whose plugin never gets ready holds up itself alone, and goes on when it does', async () => {
    const world = await pluginWorld(DAEMONS, 3);
    await world.nodes.setDaemonReady(DEVICE_PLUGIN.name, 'worker-2', false);
    NODES.forEach((node, n) => {
      putRequest(world, `story-${n}`, { size: 1, target_node: node });
    });
    putRequest(world, 'broken', { size: 1, target_node: 'worker-2' });
    await until(world, 'Running', () => NODES.every((_, n) => runsWith(world, `story-${n}`, 1)), 30_000);
    expect(restarts(world)).toEqual([1, 1, 1, 1]);
    expect(offered(world)).toEqual(['1', '1']);

    const told = () => childrenOf(world, 'broken').every((one) => reasonOf(one) === 'Busy');
    await until(world, 'told', told, 120_000);
    const words = /^pod gpu-operator\/nvidia-device-plugin-daemonset-worker-2-\d+ does not get ready on node worker-2/;
    for (const { status } of childrenOf(world, 'broken')) expect(status?.error).toMatch(words);

    NODES.forEach((_, n) => world.kube.objects.delete(REQUESTS, `story-${n}`));
    await until(world, 'gone', () => resourcesOf(world).length === 1, 60_000);
    await world.clock.advance(10_000);
    expect(offered(world)).toEqual(['0', '0']);

    await world.nodes.setDaemonReady(DEVICE_PLUGIN.name, 'worker-2', true);
    await until(world, 'Running', () => runsWith(world, 'broken', 1), 60_000);
    await takeDown(world, 'broken', 120_000);
    world.nodes.assertNoFaults();
    world.fabric.assertPoolWhole();
  });

  it('it is told where DCGM is missing, and the plugin is not restarted in vain; it goes on when that is there', async () => {
    const world = await pluginWorld([DEVICE_PLUGIN]);
    putRequest(world, 'story', { size: 1, target_node: 'worker-0' });
    await until(world, 'told', () => resourcesOf(world).some((one) => reasonOf(one) === 'Blocked'), 60_000);
    await world.clock.advance(120_000);
    expect(onlyResource(world).status).toMatchObject({
      state: 'Attaching',
      error: expect.stringContaining('daemonsets.apps "nvidia-dcgm" not found') as unknown,
    });
    expect(world.nodes.restarts(DEVICE_PLUGIN.name, 'worker-0')).toBe(0);
    const metadata = { name: DCGM.name, namespace: DCGM.namespace };
    world.kube.objects.put({ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata, spec: {}, status: {} });
    await until(world, 'Running', () => runsWith(world, 'story', 1), 600_000);
    await takeDown(world, 'story', 600_000);
    world.fabric.assertPoolWhole();
  });
});
