import { systemClock as clock } from '@cro/clock';
import { until } from '@cro/demo';
import { watchKind } from '@cro/kube-runtime';
import { DEVICE_PLUGIN, DRA_PLUGIN, RESTARTED_AT, sliceName } from '@cro/node-sim';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { daemonSetKind, fieldAt } from './support/kinds.ts';
import { FABRIC, startWorld, type World } from './support/world.ts';

const PODS = `/api/v1/namespaces/${DRA_PLUGIN.namespace}/pods`;
const PLUGIN = `/apis/apps/v1/namespaces/${DEVICE_PLUGIN.namespace}/daemonsets/${DEVICE_PLUGIN.name}`;

describe('nodes with daemons on a real API server', () => {
  let world: World;

  beforeAll(async () => {
    const daemonSets = [DRA_PLUGIN, DEVICE_PLUGIN];
    world = await startWorld({ webhook: false, equipment: { daemonSets, publisher: 'afterRestart', restartMs: 200 } });
    const [device = ''] = world.fabric.snapshot().free;
    const [machine] = Object.keys(world.fabric.snapshot().machines);
    world.fabric.move(device, machine);
    world.nodes.host('worker-0').look();
  });

  afterAll(() => world.close());

  test('a plugin whose pod is deleted comes back and publishes the GPU', async () => {
    const { caches, send, trouble } = world;
    const devices = () => {
      const all: unknown = fieldAt(caches.slices.get(sliceName('worker-0')), 'spec', 'devices');
      return Array.isArray(all) ? all.length : 0;
    };
    expect(devices()).toBe(0);
    // As a client does it: the API server leaves the pod to its kubelet, for it is bound to a node.
    expect((await send('DELETE', `${PODS}/${DRA_PLUGIN.name}-worker-0-0`)).status).toBe(200);
    await until({
      ...{ clock, what: 'the slice has the GPU', withinMs: 30_000, signal: trouble },
      on: [(look) => caches.slices.subscribe(look)],
      value: () => (devices() === 1 ? true : undefined),
    });
    expect(world.nodes.restarts(DRA_PLUGIN.name, 'worker-0')).toBe(1);
    expect(world.nodes.restarts(DRA_PLUGIN.name, 'worker-1')).toBe(0);
  });

  test('a DaemonSet that is restarted tells when all of its pods are new', async () => {
    const { client, transport, send, trouble } = world;
    const end = new AbortController();
    const sets = watchKind(daemonSetKind, { client, transport, clock, random: Math.random, signal: end.signal });
    const value = { spec: { template: { metadata: { annotations: { [RESTARTED_AT]: '2026-01-01T00:00:00Z' } } } } };
    const body = { type: 'application/merge-patch+json', text: JSON.stringify(value) };
    expect((await send('PATCH', PLUGIN, body)).status).toBe(200);
    const counts = () => {
      const status = fieldAt(sets.get(DEVICE_PLUGIN.name, DEVICE_PLUGIN.namespace), 'status');
      return ['updatedNumberScheduled', 'numberReady'].map((field) => fieldAt(status, field));
    };
    const isNew = (n: number) => world.nodes.restarts(DEVICE_PLUGIN.name, `worker-${n}`) === 1;
    await until({
      ...{ clock, what: 'all pods are new and ready', withinMs: 30_000, signal: trouble },
      on: [(look) => sets.subscribe(look)],
      value: () => ([0, 1, 2].every(isNew) && counts().every((count) => count === FABRIC.nodes) ? true : undefined),
    });
    end.abort(new Error('seen enough'));
    const { json } = await send('GET', '/api/v1/nodes/worker-0');
    expect(fieldAt(json, 'status', 'allocatable', 'nvidia.com/gpu')).toBe('1');
  });

  test('a GPU that is pulled while its driver has it makes the pool not whole', () => {
    const { fabric } = world;
    const [, [device = ''] = []] = Object.entries(fabric.snapshot().machines)[0] ?? [];
    fabric.move(device, undefined);
    expect(() => {
      fabric.assertPoolWhole();
    }).toThrow('pulledWhileOpen');
  });
});
