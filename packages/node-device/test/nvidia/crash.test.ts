import type { HostSpec } from '@cro/node-sim';
import { describe, expect, test } from 'vitest';
import { modelNode, type Between, type ModelNode } from './model-node.ts';

const FIXED = {
  uuid: 'GPU-ffffffff-0000-0000-0000-00000000000f',
  serial: '1650000000099',
  model: 'NVIDIA-A100-PCIE-80GB',
  memoryMiB: 81_920,
};

/** What a node is like, how many GPUs of the fabric it has, and how many commands it takes to give the first of them back. */
const HOSTS: readonly (readonly [string, HostSpec, number, number])[] = [
  ['a driver in a container', { driver: 'container' }, 2, 7],
  ['a driver in a container, its last GPU', { driver: 'container' }, 1, 6],
  ['a virtual machine', { driver: 'container', vm: true }, 2, 7],
  ['a driver on the host', { driver: 'host' }, 2, 6],
  ['a driver on the host, its last GPU', { driver: 'host' }, 1, 8],
  ['a driver on the host, with a GPU that is fixed', { driver: 'host', fixedGpus: [FIXED] }, 1, 6],
];

/** What a drain leaves behind: nobody minds which minor numbers and addresses. */
function stateOf({ host, left, nodes }: ModelNode) {
  return {
    left: left(),
    gpus: host.gpus().map(({ uuid, persistent, draining }) => ({ uuid, persistent, draining })),
    faults: nodes.faults(),
  };
}

async function drained(host: HostSpec, gpus: number) {
  const node = await modelNode(host, gpus);
  const { signal } = new AbortController();
  expect(await node.actions.findLoad(node.refTo(0), signal)).toEqual({ tag: 'idle' });
  expect(await node.actions.drain({ ...node.refTo(0), force: false }, signal)).toEqual({ tag: 'done' });
  const commands = node.commands.length;
  node.take(0);
  return { state: stateOf(node), commands };
}

/** Ends what runs at the `at`-th command, before that reaches the node; the last time, after it has run there. */
function crashing(at: number, last: number, stop: AbortController): Between {
  return async (run, _, index) => {
    if (index < Math.min(at, last)) return run();
    if (at > last) await run();
    stop.abort(new Error('the process was killed'));
    return { tag: 'aborted' };
  };
}

describe.each(HOSTS)('%s: a detach', (_, host, gpus, cost) => {
  test(`costs ${cost} commands`, async () => {
    expect((await drained(host, gpus)).commands).toBe(cost);
  });

  test('killed before or after any command, and begun anew, ends as one that was not', async () => {
    const clean = await drained(host, gpus);
    // What is after a command is before the next.
    for (let at = 1; at <= clean.commands + 1; at += 1) {
      const node = await modelNode(host, gpus);
      const stop = new AbortController();
      const doomed = node.actionsWith(crashing(at, clean.commands, stop));
      const life = async () => {
        await doomed.findLoad(node.refTo(0), stop.signal);
        await doomed.drain({ ...node.refTo(0), force: false }, stop.signal);
      };
      await expect(life()).rejects.toThrow('the process was killed');
      expect(await node.actions.findLoad(node.refTo(0), new AbortController().signal)).toEqual({ tag: 'idle' });
      expect(await node.drain(0)).toEqual({ tag: 'done' });
      node.take(0);
      expect(stateOf(node), `killed at command ${at}`).toEqual(clean.state);
    }
  });

  test.each([
    ['lost before it ran', { tag: 'lost', message: 'cut off' }, false],
    ['too slow, and ran all the same', { tag: 'timedOut', deadlineMs: 1000 }, true],
  ] as const)('of which any command is %s is in doubt, and is found out', async (_words, outcome, hasRun) => {
    const clean = await drained(host, gpus);
    // One of them was who asks for the load.
    for (let at = 1; at < clean.commands; at += 1) {
      const node = await modelNode(host, gpus);
      const doubtful = node.actionsWith(async (run, _request, index) => {
        if (index !== at) return run();
        if (hasRun) await run();
        return outcome;
      });
      const { signal } = new AbortController();
      const first = await doubtful.drain({ ...node.refTo(0), force: false }, signal);
      if (first.tag === 'failed') {
        expect(first.failure.kind, first.failure.message).toBe('InDoubt');
        expect(await doubtful.drain({ ...node.refTo(0), force: false }, signal)).toEqual({ tag: 'done' });
      }
      node.take(0);
      expect(stateOf(node), `command ${at}`).toEqual(clean.state);
    }
  });
});
