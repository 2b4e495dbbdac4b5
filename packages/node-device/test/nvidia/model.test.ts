import { VirtualClock } from '@cro/clock/testing';
import { createFabricSim, defaultTenant, makeGpus, makeMachines, seededRandom } from '@cro/fabric-sim';
import type { Exec } from '@cro/kube-runtime/exec';
import { createNodeSim, DRIVER_POD, NODE_AGENT, podName, type HostSpec } from '@cro/node-sim';
import { describe, expect, test } from 'vitest';
import { NodeLooks, nvidiaActions, type DriverPlace, type NodeCluster } from '../../src/index.ts';

const { signal } = new AbortController();
const [machine] = makeMachines(1);
const machUuid = machine?.machUuid ?? '';

/** NVIDIA's actions on a modelled node, which has this many GPUs of the fabric. */
async function onModel(host: HostSpec, gpus: number) {
  const clock = new VirtualClock();
  const devices = makeGpus(gpus, 'NVIDIA-A100-PCIE-80GB').map((gpu) => ({ ...gpu, machine: machUuid }));
  const random = seededRandom(1);
  const machines = makeMachines(1);
  const fabric = createFabricSim({ clock, random, devices, machines, tenant: defaultTenant });
  const nodes = createNodeSim({
    clock,
    fabric,
    api: { send: ({ path }) => Promise.resolve({ status: 200, body: path.includes('slices') ? SLICE : NODE }) },
    nodes: [{ name: 'worker-0', machUuid, host }],
    pods: [NODE_AGENT, DRIVER_POD],
    report: ({ message }) => expect.unreachable(message),
  });
  await nodes.start();
  const commands: string[] = [];
  const exec: Exec = async ({ argv, namespace, pod, container, stdin }) => {
    commands.push(argv.at(-1) ?? '');
    const order = { namespace, pod, container, argv };
    const answer = await nodes.exec(stdin === undefined ? order : { ...order, stdin }, signal);
    if (answer.tag !== 'ended') return { tag: 'lost', message: answer.tag };
    const { stdout, stderr, exitCode } = answer.result;
    return { tag: 'exited', code: exitCode, stdout, stderr };
  };
  const warnings: string[] = [];
  const actions = nvidiaActions({
    exec,
    cluster: clusterWith(host.driver === 'container' ? 'container' : 'host'),
    clock,
    log: { warn: (message) => warnings.push(message) },
    looks: new NodeLooks(),
    seenIn: 'slices',
  });
  const refTo = (index: number) => {
    return { node: 'worker-0', deviceId: devices[index]?.serial ?? '', resource: `gpu-${index}` };
  };
  return {
    ...{ actions, nodes, host: nodes.host('worker-0'), commands, warnings, refTo },
    take: (index: number) => {
      fabric.move(devices[index]?.resUuid ?? '', undefined);
    },
    drain: (index: number, force = false) => actions.drain({ ...refTo(index), force }, signal),
    left: () =>
      nodes
        .host('worker-0')
        .gpus()
        .filter(({ onBus }) => onBus)
        .map(({ uuid }) => uuid),
  };
}

const NODE = JSON.stringify({ metadata: { uid: 'uid' }, spec: { providerID: `fsas-cdi://${machUuid}` } });
const SLICE = JSON.stringify({ metadata: { resourceVersion: '1' }, spec: { pool: { generation: 1 } } });

function clusterWith(driver: DriverPlace['driver']): NodeCluster {
  const template = driver === 'container' ? DRIVER_POD : NODE_AGENT;
  const [container] = template.containers;
  const place = { driver, namespace: template.namespace, pod: podName(template, 'worker-0'), container };
  return {
    driverOf: () => ({ tag: 'place', place }),
    usersOf: () => Promise.resolve({ tag: 'idle' }),
    restartPublisher: () => Promise.resolve({ tag: 'done' }),
  };
}

describe.each([
  ['in a container', { driver: 'container' }],
  ['in a container, in a virtual machine', { driver: 'container', vm: true }],
  ['on the host', { driver: 'host' }],
  ['on a host without nvidia-persistenced', { driver: 'host', persistenced: 'none', persistenceMode: true }],
] as const)('a driver %s', (_, host) => {
  test('lets the fabric take its GPUs one after the other, the last one too', async () => {
    const { drain, nodes, take, refTo, left, warnings } = await onModel(host, 3);
    for (const index of [1, 0, 2]) {
      expect(await drain(index)).toEqual({ tag: 'done' });
      expect(left()).not.toContain(refTo(index).deviceId);
      take(index);
    }
    nodes.assertNoFaults();
    expect(warnings).toEqual([]);
  });

  test('a drain that is repeated finds the GPU gone', async () => {
    const { drain, left } = await onModel(host, 2);
    expect(await drain(0)).toEqual({ tag: 'done' });
    expect(await drain(0)).toEqual({ tag: 'done' });
    expect(left()).toHaveLength(1);
  });

  test('a daemon that holds the GPU is named and the GPU stays; when it has let go, the GPU leaves', async () => {
    const { drain, host: node, refTo, left } = await onModel(host, 2);
    const pid = node.run({ comm: 'dcgm-exporter', opens: [refTo(0).deviceId], computes: false });
    const message = expect.stringContaining(`dcgm-exporter`) as string;
    expect(await drain(0)).toMatchObject({ tag: 'failed', failure: { kind: 'Busy', message } });
    expect(left()).toHaveLength(2);
    node.end(pid);
    expect(await drain(0)).toEqual({ tag: 'done' });
  });

  test('a process that computes is load, one on a MIG device too', async () => {
    const { actions, host: node, refTo } = await onModel(host, 2);
    expect(await actions.findLoad(refTo(0), signal)).toEqual({ tag: 'idle' });
    const mig = 'MIG-11111111-0000-4000-8000-000000000001';
    node.setMig(refTo(0).deviceId, [mig]);
    const pid = node.run({ comm: 'python3', opens: [refTo(0).deviceId], mig });
    expect(await actions.findLoad(refTo(0), signal)).toMatchObject({ tag: 'inUse' });
    expect(await actions.findLoad(refTo(1), signal)).toEqual({ tag: 'idle' });
    node.end(pid);
    node.setWarning('WARNING: infoROM is corrupted at gpu 0000:10:00.0\n');
    expect(await actions.findLoad(refTo(0), signal)).toEqual({ tag: 'idle' });
  });

  test('a drain costs six commands and one look', async () => {
    const { drain, commands } = await onModel(host, 2);
    await drain(0);
    expect(commands.length).toBeLessThanOrEqual(6);
  });
});
