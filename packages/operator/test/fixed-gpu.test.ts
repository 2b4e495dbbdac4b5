import { describe, expect, it } from 'vitest';
import { bringUp, eventsOf, resourceNamed, takeDown } from './world/acts.ts';
import { until } from './world/objects.ts';
import { A100, makeWorld, type World } from './world/world.ts';

const NODE = 'worker-0';
const FIXED = {
  uuid: 'GPU-ffffffff-0000-4000-8000-00000000000f',
  serial: '1650000000099',
  model: A100,
  memoryMiB: 81_920,
};

/** One node that has a GPU of its own, and a device of the fabric that a request owns. */
async function fixedAndOwned(): Promise<{ world: World; owned: { deviceId: string; cdiDeviceId: string } }> {
  const world = await makeWorld({ nodes: [{ host: { driver: 'host', fixedGpus: [FIXED] } }] });
  world.startOperator();
  const [child] = await bringUp(world, 'story', { size: 1 });
  const { device_id: deviceId = '', cdi_device_id: cdiDeviceId = '' } = child?.status ?? {};
  return { world, owned: { deviceId, cdiDeviceId } };
}

function stateOfGpus(world: World): unknown {
  return world.nodes
    .host(NODE)
    .gpus()
    .map((gpu) => ({ ...gpu }));
}

/** As somebody would who takes the labels of the syncer for a way to get rid of any GPU. */
function putByHand(world: World, labels: Readonly<Record<string, string>>, force: boolean): void {
  world.kube.objects.put({
    apiVersion: 'cro.hpsys.ibm.ie.com/v1alpha1',
    kind: 'ComposableResource',
    metadata: { name: 'by-hand', labels },
    spec: { type: 'gpu', model: A100, target_node: NODE, force_detach: force },
  });
}

describe.each([false, true])('an object made by hand to give a device back (force_detach: %s)', (force) => {
  it.each([
    ['a GPU that is fixed in the node', () => ({ deviceId: FIXED.uuid, cdiDeviceId: '' })],
    [
      'a GPU that is fixed, by the fabric’s id of another',
      (owned: string) => ({ deviceId: FIXED.uuid, cdiDeviceId: owned }),
    ],
    ['the device of another resource', (cdiDeviceId: string, deviceId: string) => ({ deviceId, cdiDeviceId })],
    [
      'the device of another resource, by the fabric’s id alone',
      (cdiDeviceId: string) => ({ deviceId: '', cdiDeviceId }),
    ],
  ])('%s is left alone, and the object goes and says why', async (_, idsOf) => {
    const { world, owned } = await fixedAndOwned();
    const before = stateOfGpus(world);
    const { deviceId, cdiDeviceId } = idsOf(owned.cdiDeviceId, owned.deviceId);
    const labels = {
      ...(deviceId !== '' && { 'cohdi.io/ready-to-detach-device-id': deviceId }),
      ...(cdiDeviceId !== '' && { 'cohdi.io/ready-to-detach-cdi-device-id': cdiDeviceId }),
    };
    let fences = 0;
    world.gates.before = (what) => {
      if (what.includes('devicetaintrules')) fences += 1;
    };
    putByHand(world, labels, force);
    await until(world, 'gone', () => resourceNamed(world, 'by-hand') === undefined, 60_000);
    expect(stateOfGpus(world)).toEqual(before);
    expect(fences).toBe(0);
    expect(world.fabric.calls()).toMatchObject({ attach: 1, detach: 0 });
    expect(eventsOf(world).map(({ message }) => message)).toContainEqual(
      expect.stringContaining('nothing is given back, and the node was left alone'),
    );
    world.nodes.assertNoFaults();
  });
});

it('an unowned device of the fabric goes back by its fabric’s id alone', async () => {
  const world = await makeWorld({ nodes: 1, byHand: true });
  world.startOperator();
  const id = world.fabric.snapshot().free.at(-1) ?? '';
  world.fabric.move(id, world.machines[0]);
  putByHand(world, { 'cohdi.io/ready-to-detach-cdi-device-id': id }, false);
  await until(world, 'given back', () => world.fabric.calls().detach === 1, 60_000);
  world.fabric.assertPoolWhole();
});

describe('beside a GPU of the same model that is fixed in the node, with DRA', () => {
  it('a device comes and goes: the fixed one is not fenced, not drained, and its load holds up nobody', async () => {
    const { world, owned } = await fixedAndOwned();
    const fixed = () =>
      world.nodes
        .host(NODE)
        .gpus()
        .filter(({ uuid }) => uuid === FIXED.uuid);
    const before = fixed().map((gpu) => ({ ...gpu }));
    expect(before).toHaveLength(1);
    expect(owned.deviceId).not.toBe(FIXED.uuid);
    const pid = world.nodes.host(NODE).run({ comm: 'python3', opens: [FIXED.uuid] });
    const fenced = new Set<unknown>();
    world.gates.after = () => {
      for (const rule of world.kube.objects.list('devicetaintrules.resource.k8s.io')) fenced.add(valueOf(rule));
    };
    await takeDown(world, 'story', 60_000);
    expect([...fenced]).toEqual([owned.deviceId]);
    world.nodes.host(NODE).end(pid);
    expect(fixed().map((gpu) => ({ ...gpu }))).toEqual(before);
    expect(world.fabric.calls()).toMatchObject({ attach: 1, detach: 1 });
    world.nodes.assertNoFaults();
    world.fabric.assertPoolWhole();
  });
});

/** The device that a rule keeps new pods from. */
function valueOf(rule: object): unknown {
  const spec: unknown = Reflect.get(rule, 'spec');
  const taint: unknown = typeof spec === 'object' && spec !== null ? Reflect.get(spec, 'taint') : undefined;
  return typeof taint === 'object' && taint !== null ? Reflect.get(taint, 'value') : undefined;
}
