import { DCGM, DEVICE_PLUGIN, DRA_PLUGIN, NODE_AGENT, type Equipment } from '@cro/node-sim';
import { describe, expect, it } from 'vitest';
import { annotate, onlyResource, reasonOf } from './world/acts.ts';
import { NVIDIA } from './world/gpu-operator.ts';
import { putRequest, REQUESTS, requestOf, RESOURCES, resourcesOf, until } from './world/objects.ts';
import { makeWorld, type World, type WorldOptions } from './world/world.ts';

/* A device is attached, and its node waits for the driver to publish it: nobody has to wait for the end of that. */

const MINUTE = 60_000;
const PUBLISH_WAIT_MS = 5 * MINUTE;

const dra: WorldOptions = {
  equipment: { pods: [NODE_AGENT], daemonSets: [DRA_PLUGIN], publisher: 'afterRestart' } satisfies Equipment,
  nodeActions: { ...NVIDIA, publishWaitMs: PUBLISH_WAIT_MS },
};
const devicePlugin: WorldOptions = {
  manager: 'CM',
  equipment: { pods: [NODE_AGENT], daemonSets: [DEVICE_PLUGIN, DCGM] } satisfies Equipment,
  nodeActions: { tag: 'nvidiaDevicePlugin', gpuOperatorNamespace: 'gpu-operator', publishWaitMs: PUBLISH_WAIT_MS },
  fence: { tag: 'none' },
};

/** A world whose operator waits for the driver of the device's node. */
async function refreshing(options: WorldOptions): Promise<{ world: World; name: string }> {
  const world = await makeWorld({ nodes: 1, ...options });
  world.startOperator();
  putRequest(world, 'story', { size: 1 });
  await until(
    world,
    'attached',
    () => resourcesOf(world).some(({ status }) => (status?.device_id ?? '') !== ''),
    MINUTE,
  );
  await world.clock.advance(2_000);
  expect(onlyResource(world).status).toMatchObject({ state: 'Attaching' });
  return { world, name: onlyResource(world).metadata.name };
}

describe.each([
  ['DRA', dra],
  ['DEVICE_PLUGIN', devicePlugin],
])('while a refresh waits, with %s', (_, options) => {
  it('a deletion is seen at once', async () => {
    const { world } = await refreshing(options);
    world.kube.objects.delete(REQUESTS, 'story');
    await until(world, 'leaving', () => resourcesOf(world).some(({ status }) => status?.state === 'Detaching'), 1_000);
    await until(world, 'gone', () => requestOf(world, 'story') === undefined && resourcesOf(world).length === 0);
    expect(world.fabric.calls()).toMatchObject({ attach: 1, detach: 1 });
    world.fabric.assertPoolWhole();
  });

  it('a pause is seen at once, and what was waited for goes on after it', async () => {
    const { world, name } = await refreshing(options);
    annotate(world, RESOURCES, name, { 'cohdi.io/paused': 'true' });
    await until(world, 'paused', () => reasonOf(onlyResource(world)) === 'Paused', 1_000);
    annotate(world, RESOURCES, name, { 'cohdi.io/paused': 'false' });
    await until(world, 'Online', () => onlyResource(world).status?.state === 'Online', 2 * PUBLISH_WAIT_MS);
    expect(world.fabric.calls()).toMatchObject({ attach: 1, detach: 0 });
  });
});
