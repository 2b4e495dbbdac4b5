import { afterEach, describe, expect, test } from 'vitest';
import type { NodeOutcome } from '../../src/index.ts';
import { slice } from '../simulated-cluster.ts';
import { NODE, nodeWorld, pluginPod, WAIT_MS } from './world.ts';

const PODS = '/api/v1/namespaces/dra-driver-nvidia-gpu/pods';
const DELETED = `DELETE ${PODS}/dra-driver-nvidia-gpu-kubelet-plugin-a`;
const DONE = { tag: 'done' };
let stop: () => void = () => undefined;

afterEach(() => {
  stop();
});

async function publisher(...objects: readonly object[]) {
  const world = await nodeWorld(objects);
  stop = world.stop;
  const ended: Record<string, NodeOutcome> = {};
  const wait = (deviceId: string, wanted: 'visible' | 'absent', node = NODE) => {
    void world.nodes
      .restartPublisher({ node, deviceId, resource: 'gpu-1' }, wanted, world.signal)
      .then((outcome) => (ended[deviceId] = outcome));
  };
  const show = (uuids: readonly string[]) => {
    world.kube.objects.put(slice('s0', { nodeName: NODE }, uuids));
  };
  /** A new pod as the DaemonSet makes it, `at` on the clock. */
  const replace = (name: string) => {
    world.kube.objects.put(
      pluginPod({ created: new Date(world.clock.now()).toISOString() }, `dra-driver-nvidia-gpu-kubelet-plugin-${name}`),
    );
  };
  return { ...world, ended, wait, show, replace };
}

describe('making the DRA driver look again', () => {
  test('is not needed where the node shows what is wanted', async () => {
    const { wait, ended, clock, written } = await publisher(pluginPod(), slice('s0', { nodeName: NODE }, ['GPU-a']));
    wait('GPU-a', 'visible');
    wait('GPU-b', 'absent');
    await clock.advance(0);
    expect(ended).toEqual({ 'GPU-a': DONE, 'GPU-b': DONE });
    await clock.advance(60_000);
    expect(written()).toEqual([]);
  });

  test('is not done when the slice comes by itself meanwhile', async () => {
    const { wait, show, ended, clock, written } = await publisher(pluginPod());
    wait('GPU-a', 'visible');
    await clock.advance(WAIT_MS - 1);
    expect(ended).toEqual({});
    show(['GPU-a']);
    await clock.advance(0);
    expect(ended).toEqual({ 'GPU-a': DONE });
    await clock.advance(60_000);
    expect(written()).toEqual([]);
  });

  test('deletes the plugin of the node, and no other', async () => {
    const other = pluginPod({ node: 'worker-1' }, 'dra-driver-nvidia-gpu-kubelet-plugin-b');
    const controller = pluginPod({}, 'dra-driver-nvidia-gpu-controller-a');
    const { wait, ended, clock, written } = await publisher(pluginPod(), other, controller);
    wait('GPU-a', 'visible');
    await clock.advance(WAIT_MS);
    expect(written()).toEqual([DELETED]);
    expect(ended).toEqual({ 'GPU-a': DONE });
  });

  test('once for devices that come one after the other', async () => {
    const { wait, ended, clock, written } = await publisher(pluginPod());
    for (const id of ['GPU-a', 'GPU-b', 'GPU-c']) {
      wait(id, 'visible');
      await clock.advance(WAIT_MS - 1);
      expect(written()).toEqual([]);
    }
    await clock.advance(1);
    expect(written()).toEqual([DELETED]);
    expect(Object.keys(ended)).toEqual(['GPU-a', 'GPU-b', 'GPU-c']);
  });

  test('the first of many does not wait for ever', async () => {
    const { wait, clock, written } = await publisher(pluginPod());
    for (let second = 0; second < 10; second += 1) {
      wait(`GPU-${second}`, 'visible');
      await clock.advance(1000);
    }
    expect(written()).toEqual([DELETED]);
  });

  test('at most once in 10 s, but again after that', async () => {
    const { wait, replace, clock, written } = await publisher(pluginPod());
    wait('GPU-a', 'visible');
    await clock.advance(WAIT_MS);
    expect(written()).toEqual([DELETED]);
    replace('b');
    wait('GPU-a', 'visible');
    await clock.advance(9_999);
    expect(written()).toEqual([]);
    await clock.advance(1);
    expect(written()).toEqual([`DELETE ${PODS}/dra-driver-nvidia-gpu-kubelet-plugin-b`]);
  });

  test('leaves a pod alone that has just come, is starting, or leaves', async () => {
    const young = pluginPod({ created: '2025-12-31T23:59:55Z' });
    const starting = pluginPod({ ready: 'False' }, 'dra-driver-nvidia-gpu-kubelet-plugin-b');
    const old = pluginPod({}, 'dra-driver-nvidia-gpu-kubelet-plugin-c');
    const metadata = { ...old.metadata, deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['a/b'] };
    const { wait, ended, clock, written } = await publisher(young, starting, { ...old, metadata });
    wait('GPU-a', 'visible');
    await clock.advance(WAIT_MS);
    expect(ended).toEqual({ 'GPU-a': DONE });
    expect(written()).toEqual([]);
  });

  test('looks once more, live, before it deletes anything', async () => {
    const { wait, kube, show, ended, clock, written } = await publisher(pluginPod());
    wait('GPU-a', 'visible');
    kube.faults.add({
      match: (request) => request.method === 'GET' && request.path.includes('watch'),
      when: 'before',
      times: 100,
      trouble: { tag: 'fail', code: 500, reason: 'InternalError', message: 'no watch' },
    });
    kube.closeWatches('cut');
    await clock.advance(WAIT_MS - 1);
    show(['GPU-a']);
    await clock.advance(1);
    expect(ended).toEqual({ 'GPU-a': DONE });
    expect(written()).toEqual([]);
  });

  test('says so where there is no plugin, and where it may not', async () => {
    const { wait, ended, clock, kube, answers } = await publisher();
    wait('GPU-a', 'visible');
    await clock.advance(WAIT_MS);
    const none: unknown = expect.stringMatching(/^node worker-0 has no pod .* set CRO_DRA_DRIVER_NAMESPACE$/);
    expect(ended['GPU-a']).toEqual({ tag: 'failed', failure: { kind: 'Blocked', message: none } });
    const message = 'pods is forbidden: User "cro" cannot delete';
    const body = JSON.stringify({ kind: 'Status', reason: 'Forbidden', message, code: 403 });
    answers.set('DELETE', { status: 403, body });
    kube.objects.put(pluginPod());
    wait('GPU-b', 'visible');
    await clock.advance(10_000);
    const grant: unknown = expect.stringMatching(
      /cannot delete: grant delete of pods in namespace dra-driver-nvidia-gpu/,
    );
    expect(ended['GPU-b']).toEqual({ tag: 'failed', failure: { kind: 'Blocked', message: grant } });
  });

  test('who is aborted waits no more, and for nobody else nothing is restarted', async () => {
    const { nodes, clock, written } = await publisher(pluginPod());
    const abort = new AbortController();
    const device = { node: NODE, deviceId: 'GPU-a', resource: 'gpu-1' };
    const asked = nodes.restartPublisher(device, 'visible', abort.signal);
    const seen = expect(asked).rejects.toThrow('given up');
    abort.abort(new Error('given up'));
    await seen;
    await clock.advance(60_000);
    expect(written()).toEqual([]);
  });
});
