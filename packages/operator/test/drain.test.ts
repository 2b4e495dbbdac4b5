import { describe, expect, it } from 'vitest';
import { bringUp, childrenOf, deleteResource, onlyResource, reasonOf } from './world/acts.ts';
import { putRequest, REQUESTS, requestOf, resourcesOf, runsWith, until } from './world/objects.ts';
import { makeWorld, type Life, type World } from './world/world.ts';

/* Before another operator takes over: what is open is ended, and nothing new is started. */

const SLOW_MS = 10_000;

async function drained(world: World, { operator }: Life, limitMs = 600_000): Promise<void> {
  let isOver = false;
  void operator.drained.then(() => {
    isOver = true;
  });
  await until(world, 'drained', () => isOver, limitMs);
}

function told(world: World, message: string): readonly Readonly<Record<string, unknown>>[] {
  return world.log.filter((line) => line.message === message).map(({ fields }) => fields);
}

/** A world whose operator died in the middle of a fabric call, `afterMs` after its start. */
async function diedWhile(op: 'attach' | 'detach', afterMs = SLOW_MS / 2): Promise<World> {
  const world = await makeWorld({ attachMs: SLOW_MS, detachMs: SLOW_MS });
  const first = world.startOperator();
  putRequest(world, 'story', { size: 1 });
  if (op === 'detach') {
    await until(world, 'running', () => runsWith(world, 'story', 1));
    world.kube.objects.delete(REQUESTS, 'story');
  }
  await until(world, op, () => world.fabric.calls()[op] === 1);
  await world.clock.advance(afterMs);
  first.kill();
  return world;
}

describe('draining', () => {
  it('with everything at rest is over at once, and nothing was done', async () => {
    const world = await makeWorld();
    const first = world.startOperator();
    const before = await bringUp(world, 'story', { size: 2 });
    first.kill();
    const life = world.startOperator({ drain: true });
    await drained(world, life, 1_000);
    await world.clock.advance(600_000);
    expect(world.fabric.calls()).toMatchObject({ attach: 2, detach: 0 });
    expect(childrenOf(world, 'story').map(({ status }) => status?.device_id)).toEqual(
      before.map(({ status }) => status?.device_id),
    );
    expect(life.operator.notReady()).toEqual([]);
    expect(await life.metrics()).toContain('cro_drain_open_resources 0');
    expect(told(world, 'drained: nothing is open, another operator can take over')).toEqual([
      { resources: 2, withoutDevice: 0, names: [] },
    ]);
  });

  it.each(['attach', 'detach'] as const)('ends an %s that a crash left open, and says so until it has', async (op) => {
    const world = await diedWhile(op);
    const life = world.startOperator({ drain: true });
    await world.clock.advance(1_000);
    const [open = ''] = life.operator.notReady();
    expect(open).toMatch(
      new RegExp(`^draining: gpu-.* is open: the outcome of its ${op} on machine .* is not known yet$`),
    );
    expect(await life.metrics()).toContain('cro_drain_open_resources 1');
    await drained(world, life);
    expect(onlyResource(world).status?.operation).toBeUndefined();
    expect(life.operator.notReady()).toEqual([]);
    await world.clock.advance(600_000);
    expect(world.fabric.calls()).toMatchObject({ attach: 1, detach: op === 'attach' ? 0 : 1 });
    expect(told(world, 'draining: a resource can be handed over')).toHaveLength(1);
  });

  it('does not repeat a call that never reached the fabric: the settle window ends the ticket', async () => {
    const world = await makeWorld();
    world.fabric.faults.add({ kind: 'attach', effect: { tag: 'loseReply', when: 'beforeChange' } });
    const first = world.startOperator();
    putRequest(world, 'story', { size: 1 });
    await until(world, 'called', () => world.fabric.calls().attach === 1);
    first.kill();
    await drained(world, world.startOperator({ drain: true }));
    await world.clock.advance(60_000);
    expect(world.fabric.calls().attach).toBe(1);
    expect(told(world, 'drained: nothing is open, another operator can take over')).toMatchObject([
      { withoutDevice: 1 },
    ]);
    expect(reasonOf(onlyResource(world))).toBe('Paused');
  });

  it('plans nothing, creates nothing, deletes nothing and gives nothing back, and each object says why', async () => {
    const world = await makeWorld({ orphanGraceMs: 60_000 });
    const first = world.startOperator();
    await bringUp(world, 'leaving', { size: 1 });
    first.kill();
    world.kube.objects.delete(REQUESTS, 'leaving');
    deleteResource(world, onlyResource(world).metadata.name);
    world.fabric.move(world.fabric.snapshot().free[0] ?? '', world.machines[1]);
    const life = world.startOperator({ drain: true });
    putRequest(world, 'new', { size: 2 });
    await drained(world, life, 1_000);
    await world.clock.advance(600_000);
    expect(world.fabric.calls()).toMatchObject({ attach: 1, detach: 0 });
    expect(resourcesOf(world)).toHaveLength(1);
    expect(onlyResource(world).status?.state).toBe('Online');
    for (const object of [requestOf(world, 'new'), requestOf(world, 'leaving'), onlyResource(world)]) {
      expect(reasonOf(object)).toBe('Paused');
      expect(JSON.stringify(object?.status)).toContain('Paused by the drain mode of the operator');
    }
    // Without the drain mode all of it goes on where it stood.
    life.kill();
    world.startOperator();
    await until(world, 'gone', () => requestOf(world, 'leaving') === undefined);
    await until(world, 'running', () => runsWith(world, 'new', 2));
  });

  it('finds out what became of a call of another operator', async () => {
    const world = await makeWorld();
    world.kube.objects.put({
      apiVersion: 'cro.hpsys.ibm.ie.com/v1alpha1',
      kind: 'ComposableResource',
      metadata: { name: 'gpu-1', finalizers: ['com.ie.ibm.hpsys/finalizer'] },
      spec: { type: 'gpu', model: 'NVIDIA-A100-PCIE-80GB', target_node: 'worker-0' },
      status: { state: 'Attaching' },
    });
    const life = world.startOperator({ drain: true });
    await world.clock.advance(60_000);
    expect(life.operator.notReady()).toEqual([
      'draining: gpu-1 is open: another operator left it in the middle of an attach: a device may still turn up for it',
    ]);
    world.fabric.move(world.fabric.snapshot().free[0] ?? '', world.machines[0]);
    await drained(world, life);
    expect(onlyResource(world).status?.device_id).toBeDefined();
    expect(world.fabric.calls().attach).toBe(0);
  });
});
