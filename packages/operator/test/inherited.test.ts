import { describe, expect, it } from 'vitest';
import { childrenOf, deleteResource, onlyResource, reasonOf, resourceNamed } from './world/acts.ts';
import { requestOf, resourcesOf, runsWith, until } from './world/objects.ts';
import { A100, makeWorld, type World } from './world/world.ts';

/* Objects as the Go operator left them: without ticket, place, conditions and observedGeneration. */

const API = 'cro.hpsys.ibm.ie.com/v1alpha1';
const FINALIZERS = ['com.ie.ibm.hpsys/finalizer'];
const SETTLE_MS = 240_000;
const CHILD = 'gpu-00000000-temp-uuid-0000-000000000001';

interface GoStatus {
  readonly state: string;
  readonly device_id?: string;
  readonly cdi_device_id?: string;
  readonly error?: string;
}

function putChild(world: World, name: string, status: GoStatus): void {
  world.kube.objects.put({
    apiVersion: API,
    kind: 'ComposableResource',
    metadata: { name, finalizers: FINALIZERS, labels: { 'app.kubernetes.io/managed-by': 'story' } },
    spec: { type: 'gpu', model: A100, target_node: 'worker-0', force_detach: false },
    status,
  });
}

function putInherited(world: World, state: string, children: Readonly<Record<string, GoStatus>>): void {
  const resource = { type: 'gpu', model: A100, size: Object.keys(children).length, allocation_policy: 'samenode' };
  world.kube.objects.put({
    apiVersion: API,
    kind: 'ComposabilityRequest',
    metadata: { name: 'story', finalizers: FINALIZERS },
    spec: { resource },
    status: {
      state,
      scalarResource: resource,
      resources: Object.fromEntries(
        Object.entries(children).map(([name, status]) => [name, { ...status, node_name: 'worker-0' }]),
      ),
    },
  });
  for (const [name, status] of Object.entries(children)) putChild(world, name, status);
}

/** Attaches a device to worker-0's machine, as a call of the Go operator did. */
function attached(world: World): { device_id: string; cdi_device_id: string } {
  const id = world.fabric.snapshot().free[0] ?? '';
  world.fabric.move(id, world.machines[0]);
  const device = world.fabric.attachedTo(world.machines[0] ?? '').find(({ resUuid }) => resUuid === id);
  return { device_id: device?.serial ?? '', cdi_device_id: id };
}

describe('an attach that was in flight', () => {
  it('whose device turns up within the settle window is adopted: no second attach', async () => {
    const world = await makeWorld();
    putInherited(world, 'Updating', { [CHILD]: { state: 'Attaching' } });
    world.startOperator();
    await world.clock.advance(60_000);
    expect(reasonOf(onlyResource(world))).toBe('Settling');
    const { cdi_device_id } = attached(world);
    await world.clock.advance(SETTLE_MS - 61_000);
    expect(onlyResource(world).status?.cdi_device_id).toBeUndefined();
    await until(world, 'running', () => runsWith(world, 'story', 1), 5_000);
    expect(onlyResource(world)).toMatchObject({ metadata: { name: CHILD }, status: { cdi_device_id } });
    expect(world.fabric.calls().attach).toBe(0);
  });

  it.each([
    { what: 'no device', devices: 0 },
    { what: 'two devices, of which it cannot know the one', devices: 2 },
  ])('that left $what attaches one after the settle window', async ({ devices }) => {
    const world = await makeWorld({ devices: 4 });
    for (let count = 0; count < devices; count += 1) attached(world);
    putInherited(world, 'Updating', { [CHILD]: { state: 'Attaching' } });
    world.startOperator();
    await world.clock.advance(SETTLE_MS - 1_000);
    expect(world.fabric.calls().attach).toBe(0);
    await until(world, 'running', () => runsWith(world, 'story', 1), 5_000);
    expect(world.fabric.calls().attach).toBe(1);
    // What is left over belongs to nobody, and is the syncer's.
    await until(world, 'given back', () => world.fabric.calls().detach === devices, 900_000);
  });

  it('of two children that wait for one device each: one is adopted, one is attached', async () => {
    const world = await makeWorld();
    const second = CHILD.replace(/1$/, '2');
    putInherited(world, 'Updating', { [CHILD]: { state: 'Attaching' }, [second]: { state: 'Attaching' } });
    attached(world);
    world.startOperator();
    await until(world, 'running', () => runsWith(world, 'story', 2), SETTLE_MS + 60_000);
    expect(world.fabric.calls().attach).toBe(1);
    expect(new Set(childrenOf(world, 'story').map(({ status }) => status?.cdi_device_id)).size).toBe(2);
  });

  it('and was deleted: nothing is let go before the settle window ends, and the device goes back', async () => {
    const world = await makeWorld();
    putInherited(world, 'Updating', { [CHILD]: { state: 'Attaching' } });
    deleteResource(world, CHILD);
    world.kube.objects.delete('composabilityrequests.cro.hpsys.ibm.ie.com', 'story');
    world.startOperator();
    await world.clock.advance(120_000);
    attached(world);
    expect(resourceNamed(world, CHILD)).toBeDefined();
    await until(
      world,
      'gone',
      () => resourcesOf(world).length === 0 && requestOf(world, 'story') === undefined,
      300_000,
    );
    world.fabric.assertPoolWhole();
    expect(world.fabric.calls()).toMatchObject({ attach: 0, detach: 1 });
  });

  it('survives a restart in the middle of the window, which then begins anew', async () => {
    const world = await makeWorld();
    putInherited(world, 'Updating', { [CHILD]: { state: 'Attaching' } });
    const first = world.startOperator();
    await world.clock.advance(SETTLE_MS - 30_000);
    first.kill();
    world.startOperator();
    await world.clock.advance(SETTLE_MS - 1_000);
    expect(world.fabric.calls().attach).toBe(0);
    await until(world, 'running', () => runsWith(world, 'story', 1), 5_000);
    expect(world.fabric.calls().attach).toBe(1);
  });
});

describe('an Online device', () => {
  it('gets its place recorded, once, and is not touched otherwise', async () => {
    const world = await makeWorld();
    const ids = attached(world);
    await world.nodes.settled();
    putInherited(world, 'Running', { [CHILD]: { state: 'Online', ...ids } });
    world.startOperator();
    await world.clock.advance(30_000);
    expect(onlyResource(world).status).toMatchObject({
      ...ids,
      state: 'Online',
      fabric: { provider: 'fti-fm', machine: world.machines[0] },
    });
    expect(reasonOf(onlyResource(world))).toBe('Online');
    world.figures.forget();
    await world.clock.advance(600_000);
    expect(world.figures.writes()).toEqual([]);
    expect(world.fabric.calls()).toMatchObject({ attach: 0, detach: 0 });
    expect(requestOf(world, 'story')?.status).toMatchObject({ state: 'Running' });
    expect(onlyResource(world).metadata.name).toBe(CHILD);
  });

  it('whose node has no machine just now keeps working, and says what is missing', async () => {
    const world = await makeWorld({ nodes: [{ providerId: 'aws:///i-1' }] });
    const ids = attached(world);
    putInherited(world, 'Running', { [CHILD]: { state: 'Online', ...ids } });
    world.startOperator();
    await world.clock.advance(60_000);
    expect(onlyResource(world).status?.state).toBe('Online');
    expect(onlyResource(world).status?.error).toContain('fsas-cdi://');
  });
});

describe('a device on its way back', () => {
  it('goes on: detached once, and gone', async () => {
    const world = await makeWorld();
    const ids = attached(world);
    putInherited(world, 'Cleaning', { [CHILD]: { state: 'Detaching', ...ids } });
    deleteResource(world, CHILD);
    world.kube.objects.delete('composabilityrequests.cro.hpsys.ibm.ie.com', 'story');
    world.startOperator();
    await until(
      world,
      'gone',
      () => requestOf(world, 'story') === undefined && resourcesOf(world).length === 0,
      10_000,
    );
    world.fabric.assertPoolWhole();
    expect(world.fabric.calls()).toMatchObject({ attach: 0, detach: 1 });
  });
});

describe('a state that no operator knows', () => {
  it('is left alone, and the log names it', async () => {
    const world = await makeWorld();
    putInherited(world, 'Running', { [CHILD]: { state: 'Repairing' } });
    world.startOperator();
    await world.clock.advance(60_000);
    expect(onlyResource(world).status).toEqual({ state: 'Repairing' });
    expect(world.log.map(({ fields }) => fields['error'])).toContain(
      "the composableResource state 'Repairing' is invalid",
    );
  });
});
