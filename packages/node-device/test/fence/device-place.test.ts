import { expect, test } from 'vitest';
import { fenceWorld, NODE, request, RULE, RULES } from './world.ts';
import { slice } from '../simulated-cluster.ts';

const DONE = { tag: 'done' };
const rule = { deviceSelector: { driver: 'gpu.nvidia.com', pool: NODE, device: 'gpu-0' } };

test('a fence is not for a device of another node, whose pool a slice of this one names', async () => {
  const { fence, kube, clock } = await fenceWorld(['v1']);
  const other = { name: 'worker-1', generation: 1, resourceSliceCount: 1 };
  kube.objects.put(slice('s1', { nodeName: 'worker-1', pool: other }, ['GPU-victim']));
  kube.objects.put(slice('s2', { nodeName: NODE, pool: { ...other, generation: 9 } }, ['GPU-a']));
  await clock.advance(1000);
  expect(await fence.fence(request)).toEqual(DONE);
  expect(kube.objects.list(RULES)).toMatchObject([{ metadata: { name: RULE }, spec: rule }]);
  // And it keeps the other node from nothing.
  const resource = { name: 'gpu-2', uid: 'uid-2' };
  expect(await fence.fence({ node: 'worker-1', deviceId: 'GPU-victim', resource })).toEqual(DONE);
  const selected = { driver: 'gpu.nvidia.com', pool: 'worker-1', device: 'gpu-0' };
  expect(kube.objects.get(RULES, 'gpu-2-taint')).toMatchObject({ spec: { deviceSelector: selected } });
});

test('a fence is for all that a node shows in pools that are its own, whatever they are called', async () => {
  const { fence, kube, clock } = await fenceWorld(['v1']);
  const own = { name: 'racks.example.com', generation: 1, resourceSliceCount: 1 };
  kube.objects.put(slice('s1', { nodeName: NODE, pool: own }, ['GPU-c', 'GPU-a']));
  await clock.advance(1000);
  expect(await fence.fence(request)).toEqual(DONE);
  const selected = { driver: 'gpu.nvidia.com', pool: 'racks.example.com', device: 'gpu-1' };
  expect(kube.objects.list(RULES)).toMatchObject([
    { spec: { deviceSelector: { pool: expect.any(String) as string } } },
    { spec: { deviceSelector: { pool: expect.any(String) as string } } },
  ]);
  expect(kube.objects.list(RULES)).toContainEqual(
    expect.objectContaining({ spec: expect.objectContaining({ deviceSelector: selected }) as unknown }),
  );
});
