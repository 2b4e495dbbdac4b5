import { afterEach, describe, expect, test } from 'vitest';
import { gpuPod, pluginWorld, requesting } from './plugin-world.ts';

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

function inUse(by: string) {
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

  test('unknown where the pods cannot be listed: that is told', async () => {
    const { usersOf, refused } = await world({});
    refused.add('GET /api/v1/pods?');
    const message = expect.stringMatching(/^the pods of node worker-0 could not be listed .* forbidden$/) as unknown;
    expect(await usersOf()).toEqual({ tag: 'failed', failure: { kind: 'Blocked', message } });
  });
});
