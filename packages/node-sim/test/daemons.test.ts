import { delay } from '@cro/clock';
import { VirtualClock } from '@cro/clock/testing';
import { createFabricSim, defaultTenant, makeGpus, makeMachines, seededRandom } from '@cro/fabric-sim';
import { createKubeSim } from '@cro/kube-sim';
import {
  createNodeSim,
  DCGM,
  DEVICE_PLUGIN,
  DRA_PLUGIN,
  RESTARTED_AT,
  sliceName,
  type Api,
  type NodeSimOptions,
  type Problem,
} from '@cro/node-sim';
import { describe, expect, it } from 'vitest';
import { at, MODEL, type Slice } from './world.ts';

const PODS = `/api/v1/namespaces/${DRA_PLUGIN.namespace}/pods`;
const SETS = `/apis/apps/v1/namespaces/${DEVICE_PLUGIN.namespace}/daemonsets`;

const LATE_MS = 1_000;

interface Pod {
  metadata: { name: string; labels: object };
  spec: { nodeName: string };
  status?: { phase?: string };
}
interface Set {
  metadata: { generation: number };
  status: {
    observedGeneration: number;
    desiredNumberScheduled: number;
    numberReady: number;
    updatedNumberScheduled: number;
  };
}

/** Two nodes with daemons behind a whole API server. */
async function start(options: Partial<NodeSimOptions> = {}) {
  const clock = new VirtualClock();
  const random = seededRandom(3);
  const machines = makeMachines(2);
  const devices = makeGpus(3, MODEL);
  const fabric = createFabricSim({ clock, random, devices, machines, tenant: defaultTenant });
  const kube = createKubeSim({ clock, random });
  const api: Api = {
    async send({ headers = {}, ...request }) {
      if (late !== undefined && request.body?.includes(late) === true) {
        late = undefined;
        await delay(clock, LATE_MS);
      }
      const { status, body } = await kube.handle({ ...request, headers }, new AbortController().signal);
      if (typeof body !== 'string') throw new Error(`${request.path} was answered with a stream`);
      return { status, body };
    },
    async watch(path, signal) {
      const until = AbortSignal.any(cut.signal.aborted ? [signal] : [signal, cut.signal]);
      const { body } = await kube.handle({ method: 'GET', path, headers: {} }, until);
      if (typeof body === 'string') throw new Error(body);
      return body;
    },
  };
  let late: string | undefined;
  const problems: Problem[] = [];
  const cut = new AbortController();
  const nodes = createNodeSim({
    ...{ clock, fabric, api, publisher: 'afterRestart', report: (problem) => problems.push(problem) },
    nodes: machines.map(({ machUuid }, index) => ({ name: `worker-${index}`, machUuid })),
    daemonSets: [DRA_PLUGIN, DEVICE_PLUGIN, DCGM],
    ...options,
  });
  await nodes.start();
  await clock.advance(0);
  const send = (method: 'GET' | 'DELETE', path: string) => api.send({ method, path });
  const read = async <T>(path: string) => JSON.parse((await send('GET', path)).body) as T;
  return {
    ...{ clock, machines, devices, fabric, api, nodes, problems, send, read },
    /** The next request with this in its body arrives late. */
    delayNext: (part: string) => {
      late = part;
    },
    cutWatches: () => {
      cut.abort();
    },
    pods: async () => (await read<{ items: Pod[] }>(PODS)).items,
    uuids: async (node = 'worker-0') => {
      const { spec } = await read<Slice>(`/apis/resource.k8s.io/v1/resourceslices/${sliceName(node)}`);
      return spec.devices.map(({ attributes }) => attributes['uuid']?.string);
    },
    gpus: async () => {
      const { status } = await read<{ status: { allocatable: Record<string, string> } }>('/api/v1/nodes/worker-0');
      return status.allocatable['nvidia.com/gpu'];
    },
    attach: (index: number) => {
      fabric.move(at(devices, index).resUuid, at(machines, 0).machUuid);
    },
    restart: async (set: string, when: string) => {
      const value = { spec: { template: { metadata: { annotations: { [RESTARTED_AT]: when } } } } };
      const headers = { 'content-type': 'application/merge-patch+json' };
      const path = `${SETS}/${set}`;
      expect((await api.send({ method: 'PATCH', path, body: JSON.stringify(value), headers })).status).toBe(200);
      await clock.advance(0);
    },
  };
}

describe('the status of a DaemonSet', () => {
  it('is of the generation that its controller has seen', async () => {
    const { clock, restart, read } = await start({ restartMs: 500 });
    await restart(DCGM.name, '2026-01-01T00:00:00Z');
    await clock.advance(2_000);
    const { metadata, status } = await read<Set>(`${SETS}/${DCGM.name}`);
    expect(metadata.generation).toBe(2);
    expect(status).toMatchObject({ observedGeneration: 2, numberReady: 2, updatedNumberScheduled: 2 });
  });

  it('is the last one in the end, though one on its way is late', async () => {
    const { clock, pods, send, read, delayNext } = await start({ restartMs: 500, daemonSets: [DRA_PLUGIN] });
    delayNext('"numberReady":1');
    for (const { metadata } of await pods()) await send('DELETE', `${PODS}/${metadata.name}`);
    await clock.advance(500 + 3 * LATE_MS);
    const path = `/apis/apps/v1/namespaces/${DRA_PLUGIN.namespace}/daemonsets/${DRA_PLUGIN.name}`;
    expect((await read<Set>(path)).status.numberReady).toBe(2);
  });
});

describe('the pods of a DaemonSet', () => {
  it('answer commands while they run, by the names that they have then', async () => {
    const { clock, nodes, pods, send } = await start({
      restartMs: 500,
      daemonSets: [{ ...DRA_PLUGIN, view: 'hostRoot' }],
    });
    const exec = async (pod: string, ...argv: readonly string[]) => {
      const command = { namespace: DRA_PLUGIN.namespace, pod, container: 'gpus', argv };
      const answer = await nodes.exec(command, new AbortController().signal);
      return answer.tag === 'ended' ? answer.result.stdout : answer.tag;
    };
    const first = at(await pods(), 1).metadata.name;
    expect(await exec(first, '/bin/chroot', '/host-root', 'cat', '/proc/1/comm')).toBe('systemd\n');
    expect(nodes.nodeOf(DRA_PLUGIN.namespace, first)).toBe('worker-1');
    expect(nodes.nodeOf(DEVICE_PLUGIN.namespace, first)).toBeUndefined();
    await send('DELETE', `${PODS}/${first}`);
    await clock.advance(0);
    const second = at(await pods(), 1).metadata.name;
    expect([await exec(first, 'true'), await exec(second, 'true')]).toEqual(['noPod', 'noPod']);
    await clock.advance(500);
    expect(await exec(second, 'echo', 'here')).toBe('here\n');
    nodes.setKubeletUp('worker-1', false);
    expect(await exec(second, 'true')).toBe('noKubelet');
  });

  it('run on each node, and the DaemonSet says how many', async () => {
    const { pods, read, problems } = await start();
    expect((await pods()).map(({ metadata, spec, status }) => [metadata.name, spec.nodeName, status?.phase])).toEqual([
      [`${DRA_PLUGIN.name}-worker-0-0`, 'worker-0', 'Running'],
      [`${DRA_PLUGIN.name}-worker-1-0`, 'worker-1', 'Running'],
    ]);
    const set = await read<Set>(`${SETS}/${DEVICE_PLUGIN.name}`);
    expect(set.status).toMatchObject({ desiredNumberScheduled: 2, numberReady: 2, updatedNumberScheduled: 2 });
    expect(problems).toEqual([]);
  });

  it('come back after a while when they are deleted, and publish what the driver has by then', async () => {
    const { clock, nodes, devices, pods, send, attach, uuids } = await start({ restartMs: 2_000 });
    attach(0);
    attach(1);
    nodes.host('worker-0').look();
    await clock.advance(60_000);
    expect(await uuids()).toEqual([]);
    await send('DELETE', `${PODS}/${DRA_PLUGIN.name}-worker-0-0`);
    await clock.advance(1_999);
    expect((await pods()).map(({ metadata, status }) => [metadata.name, status?.phase])).toEqual([
      [`${DRA_PLUGIN.name}-worker-0-1`, 'Pending'],
      [`${DRA_PLUGIN.name}-worker-1-0`, 'Running'],
    ]);
    expect(await uuids()).toEqual([]);
    await clock.advance(1);
    expect(await uuids()).toEqual([at(devices, 0).serial, at(devices, 1).serial]);
    expect([0, 1].map((index) => nodes.restarts(DRA_PLUGIN.name, `worker-${index}`))).toEqual([1, 0]);
  });

  it('find no GPU that the driver has not seen yet, nor one that drains', async () => {
    const { clock, nodes, send, attach, uuids } = await start();
    attach(0);
    await send('DELETE', `${PODS}/${DRA_PLUGIN.name}-worker-0-0`);
    await clock.advance(0);
    expect(await uuids()).toEqual([]);
    nodes.host('worker-0').look();
    await send('DELETE', `${PODS}/${DRA_PLUGIN.name}-worker-0-1`);
    await clock.advance(0);
    expect(await uuids()).toHaveLength(1);
    expect(nodes.restarts(DRA_PLUGIN.name, 'worker-0')).toBe(2);
  });

  it('leave no slice meanwhile, where it is to be so', async () => {
    const { clock, nodes, send, attach, read, uuids } = await start({ restartMs: 2_000, meanwhile: 'absent' });
    attach(0);
    nodes.host('worker-0').look();
    await send('DELETE', `${PODS}/${DRA_PLUGIN.name}-worker-0-0`);
    await clock.advance(1_000);
    expect(await read(`/apis/resource.k8s.io/v1/resourceslices/${sliceName('worker-0')}`)).toMatchObject({ code: 404 });
    await clock.advance(1_000);
    expect(await uuids()).toHaveLength(1);
  });

  it('are all renewed, one node after the other, when the DaemonSet is restarted', async () => {
    const { clock, nodes, read, attach, gpus, restart } = await start({ restartMs: 1_000 });
    attach(0);
    nodes.host('worker-0').look();
    expect(await gpus()).toBe('0');
    await restart(DEVICE_PLUGIN.name, '2026-01-01T00:00:00Z');
    const status = async () => (await read<Set>(`${SETS}/${DEVICE_PLUGIN.name}`)).status;
    expect(await status()).toMatchObject({ numberReady: 1, updatedNumberScheduled: 1 });
    await clock.advance(1_000);
    expect(await gpus()).toBe('1');
    expect(await status()).toMatchObject({ numberReady: 1, updatedNumberScheduled: 2 });
    await clock.advance(1_000);
    expect(await status()).toMatchObject({ numberReady: 2, updatedNumberScheduled: 2 });
    expect(nodes.restarts(DEVICE_PLUGIN.name, 'worker-1')).toBe(1);
    expect(nodes.restarts(DCGM.name, 'worker-1')).toBe(0);
    await restart(DEVICE_PLUGIN.name, '2026-01-01T00:00:00Z');
    await clock.advance(10_000);
    expect(nodes.restarts(DEVICE_PLUGIN.name, 'worker-1')).toBe(1);
  });

  it('are renewed again when it is restarted while it starts', async () => {
    const { clock, nodes, restart } = await start({ restartMs: 1_000 });
    await restart(DCGM.name, 'a');
    await restart(DCGM.name, 'b');
    await clock.advance(10_000);
    expect([0, 1].map((index) => nodes.restarts(DCGM.name, `worker-${index}`))).toEqual([2, 1]);
  });

  it('of which one does not get ready keep the others from being renewed, until it does', async () => {
    const { clock, nodes, read, restart, send } = await start({ restartMs: 1_000 });
    const status = async () => (await read<Set>(`${SETS}/${DEVICE_PLUGIN.name}`)).status;
    const restarts = () => [0, 1].map((index) => nodes.restarts(DEVICE_PLUGIN.name, `worker-${index}`));
    await nodes.setDaemonReady(DEVICE_PLUGIN.name, 'worker-1', false);
    expect(await status()).toMatchObject({ numberReady: 1, updatedNumberScheduled: 2 });
    await restart(DEVICE_PLUGIN.name, 'a');
    await clock.advance(60_000);
    expect(restarts()).toEqual([0, 1]);
    expect(await status()).toMatchObject({ numberReady: 1, updatedNumberScheduled: 1 });
    // One that is deleted by hand comes anew all the same.
    await send('DELETE', `/api/v1/namespaces/${DEVICE_PLUGIN.namespace}/pods/${DEVICE_PLUGIN.name}-worker-0-0`);
    await clock.advance(10_000);
    expect(restarts()).toEqual([1, 1]);
    await nodes.setDaemonReady(DEVICE_PLUGIN.name, 'worker-1', true);
    await clock.advance(10_000);
    expect(await status()).toMatchObject({ numberReady: 2, updatedNumberScheduled: 2 });
  });

  it('go with their node, and do not come back', async () => {
    const { clock, nodes, pods } = await start();
    await nodes.deleteNode('worker-1');
    await clock.advance(60_000);
    expect((await pods()).map(({ spec }) => spec.nodeName)).toEqual(['worker-0']);
    expect(() => nodes.restarts('nope', 'worker-0')).toThrow('there is no DaemonSet nope');
  });

  it('come back when one is on its way out, as a kubelet lets it go', async () => {
    const { clock, api, pods, send } = await start();
    const path = `${PODS}/${DRA_PLUGIN.name}-worker-0-0`;
    const headers = { 'content-type': 'application/merge-patch+json' };
    await api.send({ method: 'PATCH', path, headers, body: '{"metadata":{"finalizers":["a.b/c"]}}' });
    await send('DELETE', path);
    await clock.advance(0);
    const names = (await pods()).map(({ metadata }) => metadata.name);
    expect(names).toContain(`${DRA_PLUGIN.name}-worker-0-1`);
  });

  it('come back although the watch was cut when one went', async () => {
    const { clock, nodes, cutWatches, pods, send, problems } = await start();
    cutWatches();
    await clock.advance(0);
    await send('DELETE', `${PODS}/${DRA_PLUGIN.name}-worker-0-0`);
    await clock.advance(999);
    expect(await pods()).toHaveLength(1);
    await clock.advance(1);
    expect(await pods()).toHaveLength(2);
    expect(nodes.restarts(DRA_PLUGIN.name, 'worker-0')).toBe(1);
    expect(problems.filter(({ final }) => final)).toEqual([]);
  });

  it('stay away when the simulator has stopped', async () => {
    const { clock, nodes, pods, send } = await start();
    nodes.stop();
    await send('DELETE', `${PODS}/${DRA_PLUGIN.name}-worker-0-0`);
    await clock.advance(60_000);
    expect((await pods()).map(({ spec }) => spec.nodeName)).toEqual(['worker-1']);
  });

  it('need a way to watch', async () => {
    const watchless: Api = { send: () => Promise.reject(new Error('nothing is asked')) };
    await expect(start({ api: watchless })).rejects.toThrow('DaemonSets need an `api` that has `watch`');
  });
});
