import { describe, expect, it } from 'vitest';
import {
  bringUp,
  childrenOf,
  deleteResource,
  edit,
  eventsOf,
  onlyResource,
  reasonOf,
  takeDown,
  timed,
} from './world/acts.ts';
import { putRequest, requestOf, RESOURCES, resourcesOf, runsWith, until } from './world/objects.ts';
import { makeWorld, type World } from './world/world.ts';

const machine = (world: World, index: number) => world.machines[index] ?? '';

describe('a target node that is gone', () => {
  it('lets the request go, with an event that says why, and without asking the fabric', async () => {
    const world = await makeWorld();
    world.startOperator();
    putRequest(world, 'story', { size: 1, target_node: 'worker-9' });
    await until(world, 'gone', () => requestOf(world, 'story') === undefined);
    expect(world.fabric.calls()).toMatchObject({ attach: 0, detach: 0 });
    expect(eventsOf(world, 'story')).toMatchObject([
      {
        type: 'Warning',
        reason: 'TargetNodeGone',
        message: 'target node worker-9 not found: the request deletes itself',
      },
    ]);
  });

  it('while running: its device goes back, then the request goes', async () => {
    const world = await makeWorld({ byHand: true });
    world.startOperator();
    await bringUp(world, 'story', { size: 1, target_node: 'worker-0' });
    await world.nodes.deleteNode('worker-0');
    await until(world, 'gone', () => requestOf(world, 'story') === undefined && resourcesOf(world).length === 0);
    expect(eventsOf(world, 'story').map(({ reason }) => reason)).toContain('TargetNodeGone');
    world.fabric.assertPoolWhole();
  });

  it('is believed only after a live read: a cache that lags deletes nothing', async () => {
    const world = await makeWorld({ nodes: 1 });
    const spec = { name: 'worker-1', machUuid: machine(world, 0) };
    world.startOperator();
    await world.clock.advance(1_000);
    const release = world.kube.holdWatches(({ plural }) => plural === 'nodes');
    await world.nodes.addNode(spec);
    putRequest(world, 'story', { size: 1, target_node: 'worker-1' });
    await world.clock.advance(60_000);
    expect(requestOf(world, 'story')?.metadata.deletionTimestamp).toBeUndefined();
    expect(eventsOf(world)).toEqual([]);
    release();
    await until(world, 'running', () => runsWith(world, 'story', 1));
  });
});

describe('a node that is gone with devices on it', () => {
  it('has them detached at the fabric, once each, with an event; the request gets others', async () => {
    const world = await makeWorld({ byHand: true });
    world.startOperator();
    const [child] = await bringUp(world, 'story', { size: 1 });
    const node = child?.spec.target_node ?? '';
    await world.nodes.deleteNode(node);
    await until(world, 'replaced', () => runsWith(world, 'story', 1) && resourcesOf(world).length === 1);
    expect(onlyResource(world).spec.target_node).not.toBe(node);
    expect(world.fabric.calls()).toMatchObject({ attach: 2, detach: 1 });
    expect(eventsOf(world, child?.metadata.name)).toMatchObject([
      { type: 'Warning', reason: 'NodeGone', message: `target node ${node} not found`, count: 1 },
    ]);
    await takeDown(world, 'story');
    world.fabric.assertPoolWhole();
  });

  it('is forgotten: one that comes under its name is asked anew whether it has a driver', async () => {
    const world = await makeWorld({ nodes: 1 });
    world.startOperator();
    const asked: string[] = [];
    world.gates.before = (what) => {
      if (what.includes('modinfo')) asked.push(what);
    };
    await bringUp(world, 'story', { size: 1 });
    await takeDown(world, 'story');
    await bringUp(world, 'story', { size: 1 });
    await takeDown(world, 'story');
    expect(asked).toHaveLength(1);
    await world.nodes.deleteNode('worker-0');
    await world.clock.advance(1_000);
    await world.nodes.addNode({ name: 'worker-0', machUuid: machine(world, 0) });
    await bringUp(world, 'story', { size: 1 });
    expect(asked).toHaveLength(2);
  });

  it('is believed only after a live read: a cache that lost it detaches nothing', async () => {
    const world = await makeWorld();
    const life = world.startOperator();
    const [child] = await bringUp(world, 'story', { size: 1 });
    life.kill();
    // The list that the next operator starts from lacks the Node, as from a replica that is behind. It is there all the same.
    const name = child?.spec.target_node ?? '';
    const node = world.kube.objects.get('nodes', name) ?? {};
    world.kube.objects.delete('nodes', name);
    const release = world.kube.holdWatches(({ plural }) => plural === 'nodes');
    world.kube.faults.add({
      match: ({ resource, verb }) => resource === 'nodes' && verb === 'get',
      when: 'before',
      trouble: { tag: 'delay', ms: 5_000 },
    });
    world.startOperator();
    await world.clock.advance(2_000);
    world.kube.objects.put(node);
    await world.clock.advance(120_000);
    expect(world.figures.requests().filter(({ verb, resource }) => verb === 'get' && resource === 'nodes')).not.toEqual(
      [],
    );
    expect(onlyResource(world)).toMatchObject({
      metadata: { name: child?.metadata.name },
      status: { state: 'Online' },
    });
    expect(world.fabric.calls().detach).toBe(0);
    release();
  });

  it('in the middle of an attach: the device that comes goes back', async () => {
    const world = await makeWorld({ nodes: 1, attachMs: 10_000, byHand: true });
    world.startOperator();
    putRequest(world, 'story', { size: 1 });
    await until(world, 'attaching', () => world.fabric.calls().attach === 1);
    await world.nodes.deleteNode('worker-0');
    await until(world, 'given back', () => world.fabric.calls().detach === 1 && resourcesOf(world).length === 0);
    world.fabric.assertPoolWhole();
    expect(requestOf(world, 'story')?.status?.state).toBe('NodeAllocating');
  });

  it('and a resource that does not say where its device is: it says what a person can do, and lets nothing go', async () => {
    const world = await makeWorld({ byHand: true });
    const life = world.startOperator();
    const [child] = await bringUp(world, 'story', { size: 1 });
    const name = child?.metadata.name ?? '';
    life.kill();
    edit(world, RESOURCES, name, (object) => {
      const { fabric: _fabric, ...status } = object['status'] as Record<string, unknown>;
      return { ...object, status };
    });
    await world.nodes.deleteNode(child?.spec.target_node ?? '');
    world.startOperator();
    await until(world, 'says so', () => childrenOf(world, 'story').some((one) => reasonOf(one) === 'Blocked'));
    await world.clock.advance(600_000);
    const stuck = resourcesOf(world).find(({ metadata }) => metadata.name === name);
    expect(stuck?.metadata.finalizers).toHaveLength(1);
    expect(stuck?.status?.error).toContain('cohdi.io/detached=true');
    expect(world.fabric.calls().detach).toBe(0);
  });
});

describe('a node that is not ready', () => {
  it('while a device is asked for: waits, says so, and goes on when it is ready', async () => {
    const world = await makeWorld({ nodes: 1 });
    world.startOperator();
    await world.clock.advance(1_000);
    // Planned, and not ready before the device is asked for.
    const release = world.kube.holdWatches(({ plural }) => plural === 'composableresources');
    putRequest(world, 'story', { size: 1 });
    await until(world, 'planned', () => requestOf(world, 'story')?.status?.state === 'Updating');
    await world.nodes.setReady('worker-0', false);
    release();
    await until(world, 'says so', () => resourcesOf(world).some((one) => reasonOf(one) === 'NodeNotReady'), 5_000);
    expect(onlyResource(world).status?.error).toBe('node worker-0 is not ready');
    expect(world.fabric.calls().attach).toBe(0);
    await world.nodes.setReady('worker-0', true);
    expect(await timed(world, () => until(world, 'running', () => runsWith(world, 'story', 1)))).toBeLessThan(2_000);
    expect(onlyResource(world).status?.error).toBeUndefined();
  });

  it('while a device goes back: waits, says so, and goes on when it is ready', async () => {
    const world = await makeWorld({ nodes: 1 });
    world.startOperator();
    const [child] = await bringUp(world, 'story', { size: 1 });
    await world.nodes.setReady('worker-0', false);
    await world.clock.advance(1_000);
    expect(onlyResource(world).status).toMatchObject({ state: 'Online' });
    deleteResource(world, child?.metadata.name ?? '');
    const leaving = () => resourcesOf(world).find(({ metadata }) => metadata.name === child?.metadata.name);
    await until(world, 'says so', () => reasonOf(leaving()) === 'NodeNotReady');
    expect(leaving()?.status).toMatchObject({ state: 'Detaching', error: 'node worker-0 is not ready' });
    await world.clock.advance(300_000);
    expect(world.fabric.calls().detach).toBe(0);
    await world.nodes.setReady('worker-0', true);
    const isOver = () => leaving() === undefined && runsWith(world, 'story', 1);
    expect(await timed(world, () => until(world, 'replaced', isOver))).toBeLessThan(3_000);
    expect(world.fabric.calls()).toMatchObject({ attach: 2, detach: 1 });
  });
});
