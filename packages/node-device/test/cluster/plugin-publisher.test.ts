import { afterEach, describe, expect, test } from 'vitest';
import {
  BOTH,
  DCGM,
  daemonPod,
  daemonSet,
  deletionOf,
  OTHER,
  PLUGIN,
  pluginWorld,
  seenWorld,
  SETS,
} from './plugin-world.ts';
import { NODE, WAIT_MS } from './world.ts';

const DONE = { tag: 'done' };
/** When the clock of a world starts. */
const START = Date.parse('2026-01-01T00:00:00Z');
let stop: () => void = () => undefined;

afterEach(() => {
  stop();
});

async function world(...objects: readonly object[]) {
  const made = await pluginWorld(...objects);
  stop = made.stop;
  return made;
}

function ago(seconds: number): string {
  return new Date(START - seconds * 1000).toISOString();
}

function failure(kind: string, words: string): unknown {
  return { tag: 'failed', failure: { kind, message: expect.stringContaining(words) as unknown } };
}

describe('making the device plugin look again', () => {
  test('restarts it and DCGM, once for devices of several nodes that come one after the other', async () => {
    const { wait, ended, clock, written, restartedAt } = await world(daemonSet(PLUGIN), daemonSet(DCGM));
    for (const [id, node] of Object.entries({ 'GPU-a': 'worker-0', 'GPU-b': 'worker-1', 'GPU-c': 'worker-0' })) {
      void wait(id, node);
      await clock.advance(WAIT_MS - 1);
      expect(written()).toEqual([]);
    }
    await clock.advance(1);
    expect(written()).toEqual(BOTH);
    expect(ended).toEqual({ 'GPU-a': DONE, 'GPU-b': DONE, 'GPU-c': DONE });
    expect([restartedAt(PLUGIN), restartedAt(DCGM)]).toEqual(Array(2).fill(new Date(clock.now()).toISOString()));
  });

  test('waits where one was restarted at most 10 s ago, and restarts them then', async () => {
    const { wait, ended, clock, written } = await world(daemonSet(PLUGIN, {}, ago(5)), daemonSet(DCGM, {}, ago(3600)));
    void wait('GPU-a');
    await clock.advance(5_000);
    expect([written(), ended]).toEqual([[], {}]);
    await clock.advance(1);
    expect([written(), ended]).toEqual([BOTH, { 'GPU-a': DONE }]);
  });

  test('who comes meanwhile shares that restart', async () => {
    const { wait, ended, clock, written } = await world(daemonSet(PLUGIN, {}, ago(0)), daemonSet(DCGM));
    void wait('GPU-a');
    await clock.advance(WAIT_MS + 1000);
    void wait('GPU-b');
    await clock.advance(30_000);
    expect([written(), Object.keys(ended)]).toEqual([BOTH, ['GPU-a', 'GPU-b']]);
  });

  test.each([
    ['has a pod of an older template', { updatedNumberScheduled: 1 }],
    ['has a node without a pod', { currentNumberScheduled: 1 }],
  ])('looks again later while one %s', async (_what, status) => {
    const { wait, ended, kube, clock, written } = await world(daemonSet(PLUGIN), daemonSet(DCGM, status));
    void wait('GPU-a');
    await clock.advance(WAIT_MS + 20_000);
    expect([written(), ended]).toEqual([[], {}]);
    kube.objects.put(daemonSet(DCGM));
    await clock.advance(5_000);
    expect([written(), ended]).toEqual([BOTH, { 'GPU-a': DONE }]);
  });

  test('whose restart does not end is told after a minute', async () => {
    const { wait, ended, clock, written } = await world(
      daemonSet(PLUGIN, { updatedNumberScheduled: 1, numberReady: 1 }),
      daemonSet(DCGM),
    );
    void wait('GPU-a');
    await clock.advance(70_000);
    expect(ended['GPU-a']).toEqual(failure('Busy', `gpu-operator/${PLUGIN} is being restarted (1 of 2 pods`));
    expect(written()).toEqual([]);
  });

  test.each([
    ['is ready on one node only', { numberReady: 1 }],
    ['has a pod that is not available', { numberUnavailable: 1 }],
  ])('does not wait where one %s', async (_what, status) => {
    const { wait, ended, clock, written } = await world(daemonSet(PLUGIN), daemonSet(DCGM, status));
    void wait('GPU-a');
    await clock.advance(WAIT_MS);
    expect([written(), ended]).toEqual([BOTH, { 'GPU-a': DONE }]);
  });

  test('where one runs nowhere there is nothing to restart of it', async () => {
    const { wait, ended, clock, written } = await world(
      daemonSet(PLUGIN),
      daemonSet(DCGM, { desiredNumberScheduled: 0, numberReady: 0 }),
    );
    void wait('GPU-a');
    await clock.advance(WAIT_MS);
    expect([written(), ended]).toEqual([BOTH.slice(0, 1), { 'GPU-a': DONE }]);
  });

  test.each([
    [PLUGIN, [daemonSet(DCGM)]],
    [DCGM, [daemonSet(PLUGIN)]],
  ])('says that %s is missing, and restarts nothing', async (missing, there) => {
    const { wait, ended, clock, written } = await world(...there);
    void wait('GPU-a');
    await clock.advance(WAIT_MS);
    expect(ended['GPU-a']).toEqual(failure('Blocked', `daemonsets.apps "${missing}" not found`));
    expect(written()).toEqual([]);
  });

  test('says what is wrong with a time that is none', async () => {
    const { wait, ended, clock } = await world(daemonSet(PLUGIN, {}, 'soon\u202e\n'), daemonSet(DCGM));
    void wait('GPU-a');
    await clock.advance(WAIT_MS);
    expect(ended['GPU-a']).toEqual(failure('Blocked', 'restartedAt is "soon"; accepted is a time as in RFC 3339'));
  });

  test.each(['GET', 'PATCH'])('says what to grant where a %s is refused', async (method) => {
    const { wait, ended, refused, clock } = await world(daemonSet(PLUGIN), daemonSet(DCGM));
    refused.add(`${method} ${SETS}`);
    void wait('GPU-a');
    await clock.advance(WAIT_MS);
    expect(ended['GPU-a']).toEqual(failure('Blocked', 'daemonsets is forbidden: grant get and patch of daemonsets'));
  });

  test('who is aborted while it waits for a later one waits no more, and nothing is restarted', async () => {
    const { wait, clock, written } = await world(daemonSet(PLUGIN, {}, ago(0)), daemonSet(DCGM));
    const abort = new AbortController();
    const seen = expect(wait('GPU-a', 'worker-0', abort.signal)).rejects.toThrow('given up');
    await clock.advance(WAIT_MS + 1_000);
    abort.abort(new Error('given up'));
    await seen;
    await clock.advance(120_000);
    expect(written()).toEqual([]);
  });
});

describe('with pods of the device plugin that are seen', () => {
  async function seen(status: object) {
    const made = await seenWorld(status);
    stop = made.stop;
    return made;
  }

  test('it ends when the pod of the node is new and ready, and not before', async () => {
    const { wait, ended, clock, written, renew, ready } = await seen({});
    void wait('GPU-a');
    await clock.advance(WAIT_MS);
    expect([written(), ended]).toEqual([BOTH, {}]);
    renew(OTHER, 'new');
    await clock.advance(1_000);
    expect(ended).toEqual({});
    renew(NODE, 'new', 'old', 'False');
    await clock.advance(1_000);
    expect(ended).toEqual({});
    ready(NODE, 'new');
    await clock.advance(0);
    expect([written(), ended]).toEqual([[], { 'GPU-a': DONE }]);
  });

  test('for a GPU that left it ends as soon as the old pod is gone', async () => {
    const { wait, ended, clock, signal, remove } = await seen({});
    void wait('GPU-a', NODE, signal, 'absent');
    await clock.advance(WAIT_MS);
    expect(ended).toEqual({});
    remove(`${PLUGIN}-old-${NODE}`);
    await clock.advance(0);
    expect(ended).toEqual({ 'GPU-a': DONE });
  });

  test('a restart that somebody else has begun does as well, if it gets there in time', async () => {
    const { wait, ended, clock, written, renew } = await seen({});
    void wait('GPU-a');
    await clock.advance(WAIT_MS - 1);
    renew(NODE, 'new');
    await clock.advance(60_000);
    expect([written(), ended]).toEqual([[], { 'GPU-a': DONE }]);
  });

  test('a pod to which the restart does not get is deleted alone', async () => {
    const { wait, ended, clock, written, renew } = await seen({});
    void wait('GPU-a');
    void wait('GPU-b');
    await clock.advance(WAIT_MS);
    expect(written()).toEqual(BOTH);
    await clock.advance(10_000);
    expect(written()).toEqual([deletionOf(PLUGIN, `old-${NODE}`)]);
    renew(NODE, 'new');
    await clock.advance(0);
    expect(Object.keys(ended)).toEqual(['GPU-a', 'GPU-b']);
  });

  test.each([
    ['is not ready on another node', { numberReady: 1, numberUnavailable: 1 }],
    ['is stuck in a restart', { updatedNumberScheduled: 1, numberReady: 1 }],
  ])('one that %s is not restarted: the pods of the node alone are made new', async (_what, status) => {
    const { wait, ended, clock, written, renew } = await seen(status);
    void wait('GPU-a');
    await clock.advance(WAIT_MS);
    expect(written()).toEqual([deletionOf(PLUGIN, `old-${NODE}`), BOTH[1]]);
    renew(NODE, 'new');
    await clock.advance(0);
    expect(ended).toEqual({ 'GPU-a': DONE });
  });

  test('a new pod that does not get ready is told after a minute, and nothing more is restarted for it', async () => {
    const { wait, ended, clock, written, renew, ready } = await seen({ numberReady: 1 });
    void wait('GPU-a');
    await clock.advance(WAIT_MS);
    renew(NODE, 'new', 'old', 'False');
    written();
    await clock.advance(80_000);
    const told = failure('Busy', `pod gpu-operator/${PLUGIN}-new-${NODE} does not get ready on node ${NODE}`);
    expect([written(), ended]).toEqual([[], { 'GPU-a': told }]);
    delete ended['GPU-a'];
    void wait('GPU-a');
    await clock.advance(WAIT_MS);
    ready(NODE, 'new');
    await clock.advance(0);
    expect([written(), ended]).toEqual([[BOTH[1]], { 'GPU-a': DONE }]);
  });

  test('an old pod that never gets ready, as where there was no GPU, is made new too', async () => {
    const { wait, ended, clock, kube, written, renew } = await seen({ numberReady: 1 });
    kube.objects.put(daemonPod(PLUGIN, NODE, 'old', { ready: 'False' }));
    void wait('GPU-a');
    await clock.advance(WAIT_MS);
    expect(written()).toEqual([deletionOf(PLUGIN, `old-${NODE}`), BOTH[1]]);
    renew(NODE, 'new');
    await clock.advance(0);
    expect(ended).toEqual({ 'GPU-a': DONE });
  });

  test('where it does not run nothing is restarted', async () => {
    const { wait, ended, clock, written } = await seen({});
    void wait('GPU-a', 'worker-2');
    await clock.advance(60_000);
    expect([written(), ended]).toEqual([[], { 'GPU-a': DONE }]);
  });

  test('what may not be deleted is waited for, and told if it does not come', async () => {
    const { wait, ended, clock, refused } = await seen({});
    refused.add('DELETE /api/v1/namespaces/gpu-operator/pods');
    void wait('GPU-a');
    await clock.advance(40_000);
    expect(ended).toEqual({});
    await clock.advance(40_000);
    expect(ended['GPU-a']).toEqual(failure('Blocked', 'grant delete of pods in namespace gpu-operator'));
  });

  test('pods that cannot be listed are told', async () => {
    const { wait, ended, clock, refused } = await seen({});
    refused.add('GET /api/v1/namespaces/gpu-operator/pods');
    void wait('GPU-a');
    await clock.advance(0);
    expect(ended['GPU-a']).toEqual(failure('Unreachable', `on node ${NODE} could not be listed`));
  });
});
