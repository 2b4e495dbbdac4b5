import { describe, expect, it } from 'vitest';
import { bringUp, childrenOf, conditionOf, onlyResource, reasonOf, takeDown } from './world/acts.ts';
import {
  makeMemoryWorld,
  MEMORY,
  memoryOf,
  putMemorySlice,
  putPod,
  setMemory,
  SMALL_MEMORY,
  type MemoryWorld,
} from './world/memory-world.ts';
import { putRequest, REQUESTS, requestOf, resourcesOf, runsWith, until } from './world/objects.ts';

const memory = { type: 'cxlmemory', model: MEMORY } as const;
const OWN = 16_384;
const NODE = 'worker-0';

const message = (world: MemoryWorld, name: string) => conditionOf(childrenOf(world, name)[0], 'Ready')?.message;
const reason = (world: MemoryWorld, name: string) => reasonOf(childrenOf(world, name)[0]);

describe('CXL memory', () => {
  it('goes from a request to the capacity of its node, and back', async () => {
    const world = await makeMemoryWorld({ publishDelayMs: 3_000 });
    world.startOperator();
    const [resource] = await bringUp(world, 'story', memory);
    expect(memoryOf(world, NODE)).toBe(OWN + 2048);
    expect(resource?.status?.device_id).toMatch(/^memory-2048MiB-above-16384MiB-[0-9a-f]{12}$/);
    expect(resource?.status?.cdi_device_id).toMatch(/^cro-/);
    await takeDown(world, 'story');
    expect(memoryOf(world, NODE)).toBe(OWN);
    world.fabric.assertPoolWhole();
  });

  it('waits for its node by the event, asks nobody meanwhile, and says what is missing', async () => {
    const world = await makeMemoryWorld({ publishDelayMs: 50_000 });
    world.startOperator();
    putRequest(world, 'story', memory);
    await until(world, 'attached', () => reason(world, 'story') === 'NotVisible');
    expect(message(world, 'story')).toBe(
      'The device is attached; waiting until node worker-0 shows it: its capacity is 16384 MiB of memory, at least 17408 MiB are expected with this piece.',
    );
    const { total } = calls(world);
    await world.clock.advance(40_000);
    expect(calls(world).total).toBe(total);
    await until(world, 'running', () => runsWith(world, 'story', 1), 10_001);
  });

  it('two pieces come to a node at the same time, and what a kernel keeps of them does not matter', async () => {
    const world = await makeMemoryWorld({ attachMs: 500, publishDelayMs: 20_000, memoryShare: 0.97 });
    world.startOperator();
    putRequest(world, 'story', { ...memory, size: 2, target_node: NODE });
    const attached = () => childrenOf(world, 'story').filter(({ status }) => status?.device_id !== undefined);
    await until(world, 'both attached', () => attached().length === 2, 15_000);
    expect(memoryOf(world, NODE)).toBe(OWN);
    const online = () => childrenOf(world, 'story').filter(({ status }) => status?.state === 'Online').length;
    setMemory(world, NODE, OWN + 2000);
    await until(world, 'one of them is there', () => online() === 1, 5_000);
    await until(world, 'both', () => runsWith(world, 'story', 2));
    await takeDown(world, 'story');
    world.fabric.assertPoolWhole();
  });

  it('an operator that starts anew between attach and sight knows what it waits for', async () => {
    const world = await makeMemoryWorld({ publishDelayMs: 60_000 });
    const life = world.startOperator();
    putRequest(world, 'story', memory);
    await until(world, 'attached', () => reason(world, 'story') === 'NotVisible');
    life.kill();
    await world.clock.advance(70_000);
    expect(memoryOf(world, NODE)).toBe(OWN + 2048);
    world.startOperator();
    await until(world, 'running', () => runsWith(world, 'story', 1), 10_000);
    expect(calls(world).attach).toBe(2);
  });

  it('memory that a node has lost is told, and again when it is back', async () => {
    const world = await makeMemoryWorld();
    world.startOperator();
    await bringUp(world, 'story', memory);
    setMemory(world, NODE, OWN);
    await until(world, 'told', () => reason(world, 'story') === 'NotVisible', 5_000);
    expect(onlyResource(world).status?.state).toBe('Online');
    expect(message(world, 'story')).toMatch(
      /^Node worker-0 does not show the device at present: its capacity is 16384 MiB/,
    );
    setMemory(world, NODE, OWN + 2048);
    await until(world, 'seen again', () => reason(world, 'story') === 'Online', 5_000);
  });
});

describe('CXL memory that is to leave', () => {
  it('stays while the requests of the pods would not fit without it, unless by force', async () => {
    const world = await makeMemoryWorld();
    world.startOperator();
    await bringUp(world, 'story', memory);
    putPod(world, NODE, 'large', '17Gi');
    world.kube.objects.delete(REQUESTS, 'story');
    await until(world, 'told', () => reason(world, 'story') === 'InUse', 5_000);
    expect(message(world, 'story')).toBe(
      'The device is in use by pods of node worker-0: 1024 MiB of its memory are not requested by any, and this piece has 2048 MiB. End that, or set spec.force_detach.',
    );
    expect(world.fabric.calls().detach).toBe(0);
    const [resource] = resourcesOf(world);
    const found = world.kube.objects.get('composableresources.cro.hpsys.ibm.ie.com', resource?.metadata.name ?? '');
    world.kube.objects.put({ ...found, spec: { ...resource?.spec, force_detach: true } });
    await until(world, 'gone', () => resourcesOf(world).length === 0);
  });

  it('of two pieces of which one can be spared, one leaves', async () => {
    const world = await makeMemoryWorld();
    world.startOperator();
    await bringUp(world, 'story', { ...memory, size: 2, target_node: NODE });
    putPod(world, NODE, 'large', '17Gi');
    world.kube.objects.delete(REQUESTS, 'story');
    await until(world, 'one is gone', () => resourcesOf(world).length === 1, 30_000);
    await until(world, 'the other stays', () => reason(world, 'story') === 'InUse', 30_000);
    expect(memoryOf(world, NODE)).toBe(OWN + 2048);
    world.kube.objects.delete('pods', 'large', 'default');
    await until(world, 'gone', () => requestOf(world, 'story') === undefined && resourcesOf(world).length === 0);
  });

  it('keeps other memory from its node until the node has let go of it', async () => {
    const world = await makeMemoryWorld({ withdrawDelayMs: 30_000 });
    world.startOperator();
    await bringUp(world, 'first', memory);
    world.kube.objects.delete(REQUESTS, 'first');
    await until(world, 'released', () => world.fabric.attachedTo(world.machines[0] ?? '').length === 0);
    putRequest(world, 'second', { ...memory, model: SMALL_MEMORY });
    await until(world, 'waits', () => reason(world, 'second') === 'Busy', 20_000);
    expect(message(world, 'second')).toMatch(/^node worker-0 still shows memory that the fabric takes back /);
    await until(world, 'second runs', () => runsWith(world, 'second', 1));
    expect(requestOf(world, 'first')).toBeUndefined();
    expect(memoryOf(world, NODE)).toBe(OWN + 1024);
  });
});

describe('CXL memory that a DRA driver publishes', () => {
  it('is known by its CXL id, fenced while it leaves, and waits for the slice by the event', async () => {
    const driver = 'cxl.example.com';
    const world = await makeMemoryWorld();
    world.startOperator({ sliceDrivers: { gpu: [], memory: { driver, attribute: 'gcxlid' } } });
    putRequest(world, 'story', memory);
    await until(world, 'attached', () => reason(world, 'story') === 'NotIdentified' && message(world, 'story') !== '');
    await until(world, 'told', () => /a ResourceSlice of node worker-0/.test(message(world, 'story') ?? ''));
    const [, id = ''] = /shows the memory '([^']+)'/.exec(message(world, 'story') ?? '') ?? [];
    // A GPU that is new at that moment is not it.
    world.fabric.move(world.fabric.snapshot().free[0] ?? '', world.machines[0]);
    await world.clock.advance(5_000);
    expect(onlyResource(world).status?.device_id).toBeUndefined();
    putMemorySlice(world, NODE, driver, [id]);
    await until(world, 'running', () => runsWith(world, 'story', 1), 5_000);
    expect(onlyResource(world).status?.device_id).toBe(id);
    world.kube.objects.delete(REQUESTS, 'story');
    await until(world, 'released', () => /no longer shows it/.test(message(world, 'story') ?? ''));
    expect(world.kube.objects.list('devicetaintrules.resource.k8s.io')).toMatchObject([
      { spec: { deviceSelector: { driver } } },
    ]);
    putMemorySlice(world, NODE, driver, []);
    await until(world, 'gone', () => resourcesOf(world).length === 0, 5_000);
    expect(world.kube.objects.list('devicetaintrules.resource.k8s.io')).toEqual([]);
  });
});

/** Calls of the fabric: in all, and those that make something (a chunk and a connection for each piece). */
function calls({ fabric }: MemoryWorld): { total: number; attach: number } {
  const counts = fabric.calls();
  return { total: Object.values(counts).reduce((sum, count) => sum + count, 0), attach: counts.attach };
}
