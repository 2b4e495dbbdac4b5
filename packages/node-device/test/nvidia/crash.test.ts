import type { HostSpec } from '@cro/node-sim';
import { beforeAll, describe, expect, test } from 'vitest';
import { attach, detach, forcedDetach, troubled, untilDone, type Life, type Trouble } from './lives.ts';
import { modelNode, type ModelNode } from './model-node.ts';

const FIXED = {
  uuid: 'GPU-ffffffff-0000-0000-0000-00000000000f',
  serial: '1650000000099',
  model: 'NVIDIA-A100-PCIE-80GB',
  memoryMiB: 81_920,
};

/** What a node is like, and how many GPUs of the fabric it has when it has the one that comes or goes. */
const HOSTS: readonly (readonly [string, HostSpec, number])[] = [
  ['a driver in a container', { driver: 'container' }, 2],
  ['a driver in a container, its last GPU', { driver: 'container' }, 1],
  ['a driver in a container without nvidia-persistenced', { driver: 'container', persistenced: 'none' }, 2],
  ['a virtual machine', { driver: 'container', vm: true }, 2],
  ['a driver on the host', { driver: 'host' }, 2],
  ['a driver on the host without nvidia-persistenced, its last GPU', { driver: 'host', persistenced: 'none' }, 1],
  ['a driver on the host, with a GPU that is fixed', { driver: 'host', fixedGpus: [FIXED] }, 1],
];

const LIVES: readonly (readonly [string, Life])[] = [
  ['an attach, DRA', attach('slices')],
  ['an attach, device plugin', attach('looks')],
  // With DRA it is the same but for the last command.
  ['a detach, device plugin', detach('looks')],
  ['a detach by force', forcedDetach('slices')],
];

const TROUBLES: readonly (readonly [string, Trouble, boolean])[] = [
  ['the process dying before it', 'before', true],
  ['the process dying after it, its answer lost', 'after', true],
  ['the node booting after it, and the process dying', 'reboot', true],
  ['its never arriving', 'before', false],
  ['its answer being lost', 'after', false],
  ['the node booting after it', 'reboot', false],
];

/** What a life leaves behind: nobody minds which minor numbers, addresses and process ids. */
function stateOf({ host, nodes, published }: ModelNode) {
  return {
    gpus: host.gpus().map(({ uuid, onBus, persistent, draining, minor }) => {
      return { uuid, onBus, persistent, draining, isBound: minor !== undefined };
    }),
    processes: host
      .processes()
      .filter(({ comm, opens }) => opens.length > 0 || comm === 'tee')
      .map(({ comm, opens }) => `${comm} ${opens.toSorted().join()}`),
    published: published.at(-1),
    faults: nodes.faults(),
  };
}

const nodeFor = (life: Life, host: HostSpec, gpus: number) => modelNode(host, gpus, life.isAttached ? [] : [0]);

async function clean(life: Life, host: HostSpec, gpus: number) {
  const node = await nodeFor(life, host, gpus);
  await untilDone(node, life, node.actionsWith(undefined, life.seenIn));
  return { state: stateOf(node), commands: node.commands.length };
}

describe.each(HOSTS)('%s', (_, host, gpus) => {
  describe.each(LIVES)('%s', (_life, life) => {
    let untroubled: ReturnType<typeof clean>;

    beforeAll(() => {
      untroubled = clean(life, host, gpus);
    });

    test.each(TROUBLES)('survives at each command %s', async (_trouble, what, dies) => {
      const { state, commands } = await untroubled;
      expect(state.faults).toEqual([]);
      for (let at = 1; at <= commands; at += 1) {
        const node = await nodeFor(life, host, gpus);
        await troubled(node, life, { at, what, dies });
        expect(stateOf(node), `at command ${at}`).toEqual(state);
      }
    });
  });
});

/** The steps of a removal, by what stands before each in its script. */
const STEPS = ['did start', 'did unlink', 'did unload', 'did remove', 'echo end'];

describe.each(HOSTS)('%s: a removal that is cut off', (_, host, gpus) => {
  test.each(STEPS)('before "%s" is brought to its end by the next drain', async (step) => {
    const { state } = await clean(detach('slices'), host, gpus);
    const node = await nodeFor(detach('slices'), host, gpus);
    let cuts = 0;
    const actions = node.actionsWith(async (run, request) => {
      const argv = request.argv.map((word) => word.replace(step, `exit; ${step}`));
      if (cuts > 0 || !argv.join().includes('did remove')) return run();
      cuts += 1;
      await node.run({ ...request, argv });
      return { tag: 'lost', message: 'cut off' };
    });
    await untilDone(node, detach('slices'), actions);
    expect(cuts).toBe(1);
    expect(stateOf(node)).toEqual(state);
  });
});

/** Commands of an attach and of a detach with DRA, the GPU's identity being asked of the node. */
test.each([
  ['a driver in a container', { driver: 'container' }, 2, 4],
  ['a driver in a container, its last GPU', { driver: 'container' }, 1, 3],
  ['a virtual machine', { driver: 'container', vm: true }, 2, 4],
  ['a driver on the host', { driver: 'host' }, 2, 3],
  ['a driver on the host, its last GPU', { driver: 'host' }, 1, 3],
] as const)('%s: a detach costs what docs/node.md says', async (_, host, gpus, cost) => {
  expect((await clean(detach('slices'), host, gpus)).commands).toBe(cost);
});
