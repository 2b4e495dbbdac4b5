import { afterEach, expect, test } from 'vitest';
import { BOTH, deletionOf, PLUGIN, seenWorld } from './plugin-world.ts';
import { NODE, WAIT_MS } from './world.ts';

const DONE = { tag: 'done' };
let stop: () => void = () => undefined;

afterEach(() => {
  stop();
});

/** One in which the pods of the nodes are made new alone, as the DaemonSet is not ready everywhere. */
async function seen() {
  const made = await seenWorld({ numberReady: 1 });
  stop = made.stop;
  return made;
}

test.each([
  ['another resource', 'gpu-2'],
  ['one of the same name that came after it', 'gpu-1'],
])('what it could not see for a resource that is gone is nothing to %s', async (_who, resource) => {
  const { nodes, signal, ended, wait, clock, renew, ready, refused, written } = await seen();
  refused.add('DELETE /api/v1/namespaces/gpu-operator/pods');
  void wait('GPU-a');
  await clock.advance(80_000);
  expect(ended['GPU-a']).toMatchObject({ tag: 'failed', failure: { kind: 'Blocked' } });
  nodes.forgetResource?.('gpu-1');
  refused.clear();
  renew(NODE, 'new', 'old', 'False');
  ready(NODE, 'new');
  await clock.advance(60_000);
  written();
  // Its device left and comes again: the pod of this moment has not seen that.
  const asked = nodes.restartPublisher({ node: NODE, deviceId: 'GPU-a', resource }, 'visible', signal);
  await clock.advance(WAIT_MS);
  expect(written()).toEqual([deletionOf(PLUGIN, `new-${NODE}`), BOTH[1]]);
  renew(NODE, 'newer', 'new');
  await clock.advance(0);
  expect(await asked).toEqual(DONE);
});

test('one that was given up as it went is remembered for nobody', async () => {
  const { nodes, wait, ended, clock, renew, written } = await seen();
  const gone = new AbortController();
  const given = expect(wait('GPU-a', NODE, gone.signal)).rejects.toThrow('gone');
  await clock.advance(WAIT_MS);
  gone.abort(new Error('gone'));
  nodes.forgetResource?.('gpu-1');
  await given;
  renew(NODE, 'new');
  await clock.advance(60_000);
  written();
  void wait('GPU-a');
  await clock.advance(WAIT_MS);
  expect(written()).toEqual([deletionOf(PLUGIN, `new-${NODE}`), BOTH[1]]);
  renew(NODE, 'newer', 'new');
  await clock.advance(0);
  expect(ended).toEqual({ 'GPU-a': DONE });
});
