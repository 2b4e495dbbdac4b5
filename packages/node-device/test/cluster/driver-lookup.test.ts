import { afterEach, describe, expect, test } from 'vitest';
import { agentPod, driverPod, NODE, nodeWorld, pod, policy } from './world.ts';

let stop: () => void = () => undefined;

afterEach(() => {
  stop();
});

async function lookup(objects: readonly object[], options: { policyCrd?: boolean; labelled?: boolean } = {}) {
  const world = await nodeWorld(objects, options);
  stop = world.stop;
  if (options.labelled === true) world.labelled.add(NODE);
  return world.nodes.driverOf(NODE);
}

function failing(kind: string, message: RegExp) {
  const words: unknown = expect.stringMatching(message);
  return { tag: 'failed', failure: { kind, message: words } };
}

describe('where a driver is reached', () => {
  test('in its own container, whatever the policy says', async () => {
    const place = { driver: 'container', namespace: 'gpu-operator', pod: 'nvidia-driver-daemonset-a' };
    const expected = { tag: 'place', place: { ...place, container: 'nvidia-driver-daemonset-a-ctr' } };
    expect(await lookup([driverPod()], { policyCrd: false })).toEqual(expected);
    expect(await lookup([driverPod(), policy({ enabled: false }), agentPod()])).toEqual(expected);
  });

  test('not in a pod of that label in another namespace: anybody could make one', async () => {
    const elsewhere = pod('tenant', 'driver', { 'app.kubernetes.io/component': 'nvidia-driver' });
    expect(await lookup([elsewhere, policy({})])).toMatchObject({ tag: 'noDriver' });
  });

  test('not on another node', async () => {
    expect(await lookup([driverPod({ node: 'worker-1' }), policy({})])).toMatchObject({ tag: 'noDriver' });
  });

  test.each([
    ['running', driverPod({ phase: 'Pending', ready: 'False' })],
    ['ready', driverPod({ ready: 'False' })],
  ])('not while it is not %s', async (what, driver) => {
    const words = new RegExp(`^nvidia-driver-daemonset pod is not ${what} on node worker-0$`);
    expect(await lookup([driver, policy({ enabled: true })])).toEqual(failing('Busy', words));
  });

  test('in the new pod while an old one leaves', async () => {
    const old = driverPod({}, 'nvidia-driver-daemonset-0');
    const leaving = {
      ...old,
      metadata: { ...old.metadata, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['a/b'] },
    };
    expect(await lookup([leaving, driverPod()])).toMatchObject({ place: { pod: 'nvidia-driver-daemonset-a' } });
    expect(await lookup([leaving])).toEqual(failing('Busy', /is not running on node worker-0$/));
  });

  test('nowhere on a node without GPUs, whose driver comes with the first one', async () => {
    const message = 'nvidia-driver-daemonset pod is not found on node worker-0';
    expect(await lookup([policy({ enabled: true })])).toEqual({ tag: 'noDriver', message });
    expect(await lookup([policy({})])).toEqual({ tag: 'noDriver', message });
  });

  test('a node that is labelled as having GPUs should have one', async () => {
    const words = /^nvidia-driver-daemonset pod is not found on node worker-0, .* NVIDIA_GPU_OPERATOR_NAMESPACE$/;
    expect(await lookup([policy({ enabled: true })], { labelled: true })).toEqual(failing('Busy', words));
  });

  test('on the host, through the agent', async () => {
    const place = { driver: 'host', namespace: 'composable-resource-operator-system', pod: 'cro-node-agent-a' };
    const expected = { tag: 'place', place: { ...place, container: 'cro-node-agent-a-ctr' } };
    expect(await lookup([policy({ enabled: false }), agentPod()])).toEqual(expected);
    expect(await lookup([agentPod()], { policyCrd: false })).toEqual(expected);
    expect(await lookup([policy({ enabled: false }), agentPod({ ready: 'False' })])).toEqual(
      failing('Busy', /^cro-node-agent pod is not ready on node worker-0$/),
    );
  });

  test('is not known where nobody may read', async () => {
    const message = 'pods is forbidden: User "cro" cannot list resource "pods"';
    const body = JSON.stringify({ kind: 'Status', reason: 'Forbidden', message, code: 403 });
    const world = await nodeWorld([driverPod()], {
      answers: [['GET /api/v1/namespaces/gpu-operator/pods', { status: 403, body }]],
    });
    stop = world.stop;
    const words = /^pods of namespace gpu-operator cannot be read: pods is forbidden/;
    expect(world.nodes.driverOf(NODE)).toEqual(failing('Unreachable', words));
  });

  test('says what to install', async () => {
    expect(await lookup([policy({ enabled: false })])).toEqual(failing('Blocked', /apply deploy\/node-agent/));
    const words = /^ClusterPolicy CR was not found. Please install GPU Operator.*deploy\/node-agent/;
    expect(await lookup([], { policyCrd: false })).toEqual(failing('Blocked', words));
    expect(await lookup([])).toEqual(failing('Blocked', words));
  });
});
