import { DRA_PLUGIN, NODE_AGENT, type Equipment } from '@cro/node-sim';
import { describe, expect, it } from 'vitest';
import { NVIDIA } from './world/gpu-operator.ts';
import { onlyResource, putClaim, reasonOf } from './world/acts.ts';
import { putRequest, REQUESTS, requestOf, resourcesOf, runsWith, until } from './world/objects.ts';
import { makeWorld, type World } from './world/world.ts';

const NODE = 'worker-0';

function takeBack(world: World): void {
  world.kube.objects.delete(REQUESTS, 'story');
}

function isGone(world: World): boolean {
  return requestOf(world, 'story') === undefined && resourcesOf(world).length === 0;
}

/** Counts commands; `then` is called after each has ended. */
function countCommands(world: World, then: (count: number) => void = () => undefined): () => number {
  let count = 0;
  world.gates.after = (what) => {
    if (!what.startsWith('EXEC ')) return;
    count += 1;
    then(count);
  };
  return () => count;
}

describe('the commands on a node', () => {
  it('of a device: at most 2 to attach, and at most 8 to give back; its node is treated well', async () => {
    const world = await makeWorld({ nodes: 1 });
    world.startOperator();
    const commands = countCommands(world);
    putRequest(world, 'story', { size: 1 });
    await until(world, 'Running', () => runsWith(world, 'story', 1));
    expect(commands()).toBeGreaterThan(0);
    expect(commands()).toBeLessThanOrEqual(2);
    const attached = commands();
    takeBack(world);
    await until(world, 'gone', () => isGone(world));
    expect(commands() - attached).toBeGreaterThan(0);
    expect(commands() - attached).toBeLessThanOrEqual(8);
    world.nodes.assertNoFaults();
    world.fabric.assertPoolWhole();
  });

  it('after any of which the process may die: the device goes back once, in order', async () => {
    for (let at = 1, more = true; more; at += 1) {
      const world = await makeWorld({ nodes: 1 });
      let life = world.startOperator();
      putRequest(world, 'story', { size: 1 });
      await until(world, 'Running', () => runsWith(world, 'story', 1));
      takeBack(world);
      more = false;
      countCommands(world, (count) => {
        if (count !== at) return;
        more = true;
        life.kill();
        life = world.startOperator();
      });
      await until(world, `gone after a death at command ${at}`, () => isGone(world), 600_000);
      expect(world.fabric.calls()).toMatchObject({ attach: 1, detach: 1 });
      world.nodes.assertNoFaults();
      world.fabric.assertPoolWhole();
    }
  }, 60_000);
});

describe('a device that somebody uses', () => {
  async function online(): Promise<{ world: World; uuid: string }> {
    const world = await makeWorld({ nodes: 1 });
    world.startOperator();
    putRequest(world, 'story', { size: 1 });
    await until(world, 'Running', () => runsWith(world, 'story', 1));
    return { world, uuid: onlyResource(world).status?.device_id ?? '' };
  }

  it('on its node stays until the process ends', async () => {
    const { world, uuid } = await online();
    const pid = world.nodes.host(NODE).run({ comm: 'python3', opens: [uuid] });
    takeBack(world);
    await until(world, 'told', () => reasonOf(onlyResource(world)) === 'InUse');
    expect(onlyResource(world).status?.error).toContain('python3');
    await world.clock.advance(120_000);
    expect(world.fabric.calls().detach).toBe(0);
    world.nodes.host(NODE).end(pid);
    await until(world, 'gone', () => isGone(world), 600_000);
    expect(world.fabric.calls().detach).toBe(1);
  });

  it('by a ResourceClaim stays until the claim is gone, and goes at once then', async () => {
    const { world } = await online();
    putClaim(world, 'train', NODE, 'gpu-0');
    await world.clock.advance(1_000);
    takeBack(world);
    await until(world, 'told', () => reasonOf(onlyResource(world)) === 'InUse');
    expect(onlyResource(world).status?.error).toContain('in use by ResourceClaim ml/train (pod train-0)');
    await world.clock.advance(600_000);
    expect(world.fabric.calls().detach).toBe(0);
    world.kube.objects.delete('resourceclaims.resource.k8s.io', 'train', 'ml');
    await until(world, 'gone', () => isGone(world), 5_000);
  });
});

describe('a device that a pod gets after it was found idle, and before the fence stands', () => {
  /** A pod gets it just as the fence is asked for. Answers what was done on the node from then on. */
  function givenAway(world: World): readonly string[] {
    const asked: string[] = [];
    let isGiven = false;
    world.gates.before = (what) => {
      if (isGiven) asked.push(what);
      if (isGiven || !/^POST .*\/devicetaintrules/.test(what)) return;
      isGiven = true;
      putClaim(world, 'train', NODE, 'gpu-0');
    };
    return asked;
  }

  async function leaving(details: { readonly force_detach?: boolean }) {
    const world = await makeWorld({ nodes: 1 });
    world.startOperator();
    putRequest(world, 'story', { size: 1, ...details });
    await until(world, 'Running', () => runsWith(world, 'story', 1));
    const asked = givenAway(world);
    takeBack(world);
    return { world, asked };
  }

  it('stays for it, and nothing is done to it on its node', async () => {
    const { world, asked } = await leaving({});
    await until(world, 'told', () => reasonOf(onlyResource(world)) === 'InUse');
    expect(onlyResource(world).status?.error).toContain('in use by ResourceClaim ml/train (pod train-0)');
    await world.clock.advance(600_000);
    expect(asked.filter((what) => what.startsWith('EXEC '))).toEqual([]);
    expect(world.fabric.calls().detach).toBe(0);
    world.kube.objects.delete('resourceclaims.resource.k8s.io', 'train', 'ml');
    await until(world, 'gone', () => isGone(world), 5_000);
    world.nodes.assertNoFaults();
  });

  it('leaves all the same with spec.force_detach', async () => {
    const { world } = await leaving({ force_detach: true });
    await until(world, 'gone', () => isGone(world), 5_000);
    expect(world.kube.objects.get('resourceclaims.resource.k8s.io', 'train', 'ml')).toBeDefined();
    world.nodes.assertNoFaults();
  });
});

describe('a DRA driver that notices nothing by itself', () => {
  const publisher = 'afterRestart';
  const equipment: Equipment = { pods: [NODE_AGENT], daemonSets: [DRA_PLUGIN], publisher, restartMs: 3_000 };
  const nodeActions = { ...NVIDIA, publishWaitMs: 2_000 };

  it('is restarted once for the devices of a node that come together, and once for those that go', async () => {
    const world = await makeWorld({ nodes: 1, equipment, nodeActions });
    world.startOperator();
    await world.clock.advance(20_000);
    putRequest(world, 'story', { size: 3 });
    await until(world, 'Running', () => runsWith(world, 'story', 3), 30_000);
    expect(world.nodes.restarts(DRA_PLUGIN.name, NODE)).toBe(1);
    await world.clock.advance(20_000);
    takeBack(world);
    await until(world, 'gone', () => isGone(world), 60_000);
    expect(world.nodes.restarts(DRA_PLUGIN.name, NODE)).toBe(2);
    world.nodes.assertNoFaults();
  });

  it('that is nowhere to be found is told', async () => {
    const world = await makeWorld({ nodes: 1, equipment: { pods: [NODE_AGENT], publisher }, nodeActions });
    world.startOperator();
    putRequest(world, 'story', { size: 1 });
    await until(world, 'told', () => reasonOf(onlyResource(world)) === 'Blocked', 60_000);
    expect(onlyResource(world).status?.error).toContain('set CRO_DRA_DRIVER_NAMESPACE');
  });
});

describe('a node without a driver', () => {
  it('gets no device, and says what to install', async () => {
    const world = await makeWorld({ nodes: [{ host: { driver: 'none' } }] });
    world.startOperator();
    putRequest(world, 'story', { size: 1 });
    await until(world, 'told', () => resourcesOf(world).some(({ status }) => (status?.error ?? '') !== ''), 60_000);
    await world.clock.advance(120_000);
    expect(world.fabric.calls().attach).toBe(0);
    expect(onlyResource(world).status?.error).toContain('driver');
  });
});
