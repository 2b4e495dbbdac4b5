import { describe, expect, it } from 'vitest';
import { conditionOf, onlyResource, reasonOf } from './world/acts.ts';
import { putRequest, REQUESTS, requestOf, resourcesOf, runsWith, until } from './world/objects.ts';
import { makeWorld, type World, type WorldOptions } from './world/world.ts';

/* Other drivers than NVIDIA's may list the same GPUs, and pools of a fabric may be published under NVIDIA's name. */

const NODE = 'worker-0';
const MONITOR = 'monitor.example.com';
const MINUTE = 60_000;

/** A world whose one node has a device that NVIDIA's driver never shows. */
async function attachedUnseen(options: WorldOptions = {}): Promise<{ world: World; uuid: string }> {
  const world = await makeWorld({ nodes: 1, nodeActions: { tag: 'none' }, publishDelayMs: Infinity, ...options });
  world.startOperator();
  putRequest(world, 'story', { size: 1 });
  await until(world, 'attached', () => resourcesOf(world).some((one) => reasonOf(one) === 'NotVisible'), MINUTE);
  return { world, uuid: onlyResource(world).status?.device_id ?? '' };
}

function putSlice({ kube }: World, driver: string, where: object, uuid: string): void {
  kube.objects.put({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name: `slice-of-${driver}` },
    spec: {
      ...{ driver, ...where },
      pool: { name: 'its-pool', generation: 7, resourceSliceCount: 1 },
      devices: [{ name: 'device-0', attributes: { uuid: { string: uuid } } }],
    },
  });
}

function isOver(world: World): boolean {
  return requestOf(world, 'story') === undefined && resourcesOf(world).length === 0;
}

describe('a device that a driver shows which is not accepted', () => {
  it('is not visible, and says at once which driver that is and how to accept it', async () => {
    const { world, uuid } = await attachedUnseen();
    putSlice(world, MONITOR, { nodeName: NODE }, uuid);
    const told = () => conditionOf(onlyResource(world), 'Ready')?.message ?? '';
    await until(world, 'told', () => told().includes(MONITOR), 1_000);
    for (const part of ['gpu.nvidia.com', 'CRO_DRA_DRIVERS']) expect(told()).toContain(part);
    await world.clock.advance(5 * MINUTE);
    expect(onlyResource(world).status).toMatchObject({ state: 'Attaching' });
  });

  it('is visible where that driver is accepted', async () => {
    const { world, uuid } = await attachedUnseen({ sliceDrivers: { gpu: ['gpu.nvidia.com', MONITOR] } });
    putSlice(world, MONITOR, { nodeName: NODE }, uuid);
    await until(world, 'Running', () => runsWith(world, 'story', 1), 1_000);
  });

  it('leaves without a fence there, and is gone although that driver lists it still', async () => {
    const world = await makeWorld({ nodes: 1, detachMs: 5_000 });
    world.startOperator();
    putRequest(world, 'story', { size: 1 });
    await until(world, 'Running', () => runsWith(world, 'story', 1));
    putSlice(world, MONITOR, { nodeName: NODE }, onlyResource(world).status?.device_id ?? '');
    await world.clock.advance(1_000);
    world.kube.objects.delete(REQUESTS, 'story');
    await until(world, 'the fabric is asked', () => world.fabric.calls().detach === 1);
    const rules = world.kube.objects.list('devicetaintrules.resource.k8s.io');
    expect(rules).toMatchObject([{ spec: { deviceSelector: { driver: 'gpu.nvidia.com', device: 'gpu-0' } } }]);
    expect(rules).toHaveLength(1);
    await until(world, 'gone', () => isOver(world), MINUTE);
    world.fabric.assertPoolWhole();
  });
});

it.each([{ allNodes: true }, { nodeSelector: { nodeSelectorTerms: [{ matchFields: [] }] } }])(
  'a pool of the fabric under NVIDIA’s name (%j) makes no device visible on a node',
  async (where) => {
    const { world, uuid } = await attachedUnseen();
    putSlice(world, 'gpu.nvidia.com', where, uuid);
    await world.clock.advance(5 * MINUTE);
    expect(onlyResource(world).status).toMatchObject({ state: 'Attaching' });
    putSlice(world, 'gpu.nvidia.com', { nodeName: NODE }, uuid);
    await until(world, 'Running', () => runsWith(world, 'story', 1), 1_000);
  },
);
