import { expect, it } from 'vitest';
import { onlyResource, reasonOf } from './world/acts.ts';
import { makeMemoryWorld } from './world/memory-world.ts';
import { putRequest, resourcesOf, until } from './world/objects.ts';

it('a node that says that it has more devices than can be noted gets none, and is told so', async () => {
  const world = await makeMemoryWorld();
  for (let slice = 0; slice < 3; slice += 1) {
    const devices = Array.from({ length: 100 }, (_, at) => ({
      name: `gpu-${slice}-${at}`,
      attributes: { uuid: { string: `GPU-${slice}-${at}` } },
    }));
    world.kube.objects.put({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      metadata: { name: `forged-${slice}` },
      spec: {
        driver: 'gpu.nvidia.com',
        nodeName: 'worker-0',
        pool: { name: 'worker-0', generation: 1, resourceSliceCount: 3 },
        devices,
      },
    });
  }
  world.startOperator();
  await world.clock.advance(1_000);
  putRequest(world, 'story', { size: 1 });
  await until(world, 'told', () => resourcesOf(world).some((one) => reasonOf(one) === 'Blocked'), 60_000);
  expect(onlyResource(world).status?.error).toContain('node worker-0 shows 300 devices, and no more than 256');
  expect(onlyResource(world).status?.operation).toBeUndefined();
});
