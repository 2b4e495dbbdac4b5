import { afterEach, describe, expect, test } from 'vitest';
import type { LoadOutcome } from '../../src/index.ts';
import { daemonPod, gpuPod, PLUGIN, pluginWorld, requesting } from './plugin-world.ts';
import { NODE } from './world.ts';

const IDLE = { tag: 'idle' };
const GPU = 'nvidia.com/gpu';
const MIG = 'nvidia.com/mig-1g.10gb';
let stop: () => void = () => undefined;

afterEach(() => {
  stop();
});

async function world(allocatable: Record<string, string>, ...objects: readonly object[]) {
  const made = await pluginWorld(...objects);
  stop = made.stop;
  made.supply.allocatable = allocatable;
  return made;
}

function inUse(by: unknown) {
  return { tag: 'inUse', by };
}

describe('a GPU that a device plugin offers is in use by pods', () => {
  test('that request as many as there are, and not where one is left', async () => {
    const pods = [gpuPod('a', [requesting('1')]), gpuPod('b', [requesting('1'), requesting('1')])];
    const { usersOf, supply } = await world({ [GPU]: '3' }, ...pods);
    expect(await usersOf()).toEqual(inUse('pod ml/a, pod ml/b'));
    supply.allocatable = { [GPU]: '4' };
    expect(await usersOf()).toEqual(IDLE);
    supply.leaving = 1;
    expect(await usersOf()).toEqual(inUse('pod ml/a, pod ml/b'));
  });

  test('while the node offers none at this moment', async () => {
    const { usersOf } = await world({}, gpuPod('a', [requesting('1')]));
    expect(await usersOf()).toEqual(inUse('pod ml/a'));
  });

  test('not where no pod of the node has one', async () => {
    const elsewhere = gpuPod('a', [requesting('1')]);
    const { usersOf } = await world(
      {},
      { ...elsewhere, spec: { ...elsewhere.spec, nodeName: 'worker-1' } },
      gpuPod('over', [requesting('1')], {}, 'Succeeded'),
      gpuPod('failed', [requesting('1')], {}, 'Failed'),
      gpuPod('cpu', [requesting('1', 'example.com/gpu')]),
      gpuPod('none', [requesting('0')]),
    );
    expect(await usersOf()).toEqual(IDLE);
  });

  test('counted as the scheduler does: the most that runs at a time, sidecars included', async () => {
    const sidecar = requesting('1', GPU, { restartPolicy: 'Always' });
    const pod = gpuPod('a', [requesting('1')], { initContainers: [sidecar, requesting('2')] });
    const { usersOf, supply } = await world({ [GPU]: '2' }, pod);
    expect(await usersOf()).toEqual(inUse('pod ml/a'));
    supply.allocatable = { [GPU]: '3' };
    expect(await usersOf()).toEqual(IDLE);
  });

  test('that have MIG devices, as any seven of a kind may be of one GPU', async () => {
    const { usersOf, supply } = await world({ [GPU]: '4', [MIG]: '14' }, gpuPod('a', [requesting('8', MIG)]));
    expect(await usersOf()).toEqual(inUse('pod ml/a'));
    supply.allocatable = { [GPU]: '4', [MIG]: '15' };
    expect(await usersOf()).toEqual(IDLE);
  });

  test('unknown for a moment after the plugin was restarted, where any pod has one', async () => {
    const created = new Date('2026-01-01T00:00:00Z').toISOString();
    const { usersOf, clock, kube } = await world(
      { [GPU]: '3' },
      gpuPod('a', [requesting('1')]),
      daemonPod(PLUGIN, NODE, 'new', { created, ready: 'False' }),
    );
    const unknown = inUse(
      expect.stringMatching(/^perhaps pod ml\/a \(the device plugin on node worker-0 .* is not ready/),
    );
    await clock.advance(60_000);
    expect(await usersOf()).toEqual(unknown);
    kube.objects.put(daemonPod(PLUGIN, NODE, 'newer', { created: new Date(clock.now()).toISOString() }));
    await clock.advance(14_999);
    expect(await usersOf()).toEqual(unknown);
    await clock.advance(1);
    expect(await usersOf()).toEqual(IDLE);
    kube.objects.delete('pods', `${PLUGIN}-newer-${NODE}`, 'gpu-operator');
    await clock.advance(0);
    expect(await usersOf()).toEqual(unknown);
    kube.objects.delete('pods', 'a', 'ml');
    expect(await usersOf()).toEqual(IDLE);
  });

  test('unknown where the pods cannot be listed: that is told', async () => {
    const { usersOf, refused } = await world({});
    refused.add('GET /api/v1/pods?');
    const message = expect.stringMatching(/^the pods of node worker-0 could not be listed .* forbidden$/) as unknown;
    expect(await usersOf()).toEqual({ tag: 'failed', failure: { kind: 'Blocked', message } });
  });

  describe('of two that leave one node', () => {
    const others = (resource: string) => [{ resource: resource === 'gpu-1' ? 'gpu-2' : 'gpu-1', deviceId: 'GPU-b' }];
    const SHOWN = () => true;

    async function pair() {
      const made = await world({ [GPU]: '2' }, gpuPod('a', [requesting('1')]));
      const { nodes, supply, usersOf } = made;
      const ask = (resource: string) => {
        supply.detaching = others(resource);
        return usersOf(resource);
      };
      const looked = (resource: string, outcome: LoadOutcome, shows: (id: string) => boolean = SHOWN) => {
        supply.detaching = others(resource);
        return nodes.looked({ node: NODE, deviceId: 'GPU-a', resource }, outcome, shows);
      };
      return { ...made, ask, looked };
    }

    test.each([
      ['gpu-1', 'gpu-2'],
      ['gpu-2', 'gpu-1'],
    ])('%s is idle and %s is not, although both ask at once', async (first, second) => {
      const { usersOf, supply } = await pair();
      // Each sees the other one, whichever that is.
      supply.detaching = [...others(first), ...others(second)];
      const asked = [usersOf(first), usersOf(second)];
      expect(await Promise.all(asked)).toEqual([IDLE, inUse('pod ml/a')]);
    });

    test('the other may leave as soon as one is found in use on the node', async () => {
      const { ask, looked } = await pair();
      expect(await ask('gpu-1')).toEqual(IDLE);
      expect(await ask('gpu-2')).toEqual(inUse('pod ml/a'));
      const used: LoadOutcome = { tag: 'inUse', by: 'process 7 (python3)' };
      expect(looked('gpu-1', used)).toEqual(used);
      expect(await ask('gpu-2')).toEqual(IDLE);
      expect(looked('gpu-2', { tag: 'idle' })).toEqual(IDLE);
      expect(await ask('gpu-1')).toEqual(inUse('pod ml/a'));
    });

    test('the other stays where the node shows that one is gone already, as an operator that died has drained it', async () => {
      const { ask, looked } = await pair();
      expect(await ask('gpu-2')).toEqual(IDLE);
      expect(looked('gpu-2', { tag: 'idle' }, (id) => id !== 'GPU-b')).toEqual(inUse('pod ml/a'));
      expect(await ask('gpu-1')).toEqual(IDLE);
    });

    test('one that has left is forgotten', async () => {
      const { ask, supply, usersOf } = await pair();
      expect(await ask('gpu-1')).toEqual(IDLE);
      supply.detaching = [];
      expect(await usersOf('gpu-2')).toEqual(IDLE);
      expect(await ask('gpu-1')).toEqual(inUse('pod ml/a'));
    });
  });
});
