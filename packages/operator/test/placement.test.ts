import { describe, expect, it } from 'vitest';
import { bringUp, childrenOf, conditionOf, editNodeSpec, eventsOf, takeDown, timed } from './world/acts.ts';
import { putRequest, requestOf, resourcesOf, runsWith, until } from './world/objects.ts';
import { makeWorld, type World } from './world/world.ts';

const nodesOf = (world: World, name: string) =>
  childrenOf(world, name)
    .map(({ spec }) => spec.target_node)
    .sort();

async function waitsBecause(world: World, name: string, reason: string) {
  await until(
    world,
    `${name} waits: ${reason}`,
    () => conditionOf(requestOf(world, name), 'Placed')?.reason === reason,
  );
  return requestOf(world, name);
}

describe('samenode and differentnode', () => {
  it('put all on one node, and two such requests on different ones', async () => {
    const world = await makeWorld({ nodes: 3, devices: 6 });
    world.startOperator();
    putRequest(world, 'one', { size: 2 });
    putRequest(world, 'two', { size: 2 });
    await until(world, 'both run', () => runsWith(world, 'one', 2) && runsWith(world, 'two', 2));
    const [first, second] = [nodesOf(world, 'one'), nodesOf(world, 'two')];
    expect(new Set(first).size).toBe(1);
    expect(new Set(second).size).toBe(1);
    expect(first[0]).not.toBe(second[0]);
    // The third policy user goes to as many nodes as it has devices, taken or not.
    await bringUp(world, 'apart', { size: 2, allocation_policy: 'differentnode' });
    expect(new Set(nodesOf(world, 'apart')).size).toBe(2);
  });

  it('conflict on a target node: the younger waits and says for whom, and goes on at once when it leaves', async () => {
    const world = await makeWorld();
    world.startOperator();
    await bringUp(world, 'first', { size: 1, target_node: 'worker-0' });
    putRequest(world, 'second', { size: 1, target_node: 'worker-0' });
    const waiting = await waitsBecause(world, 'second', 'Conflict');
    expect(waiting?.status?.state).toBe('NodeAllocating');
    expect(waiting?.status?.error).toContain('belongs to first');
    expect(childrenOf(world, 'second')).toEqual([]);
    expect(
      await timed(world, async () => {
        await takeDown(world, 'first');
        await until(world, 'second runs', () => runsWith(world, 'second', 1));
      }),
    ).toBeLessThan(3_000);
    expect(requestOf(world, 'second')?.status?.error).toBeUndefined();
    expect(conditionOf(requestOf(world, 'second'), 'Placed')).toMatchObject({ status: 'True' });
  });

  it('two made in the same moment for one node: the older wins, and only one of them is served', async () => {
    const world = await makeWorld();
    putRequest(world, 'b-older', { size: 1, target_node: 'worker-0' });
    await world.clock.advance(2_000);
    putRequest(world, 'a-younger', { size: 1, target_node: 'worker-0' });
    world.startOperator();
    await until(world, 'the older runs', () => runsWith(world, 'b-older', 1));
    await waitsBecause(world, 'a-younger', 'Conflict');
    await world.clock.advance(120_000);
    expect(childrenOf(world, 'a-younger')).toEqual([]);
  });
});

describe('which nodes get devices', () => {
  const unfit = [
    {
      what: 'cordoned',
      make: (world: World) => editNodeSpec(world, 'worker-0', { unschedulable: true }),
      says: 'not schedulable: 1',
    },
    {
      what: 'tainted NoSchedule',
      make: (world: World) => editNodeSpec(world, 'worker-0', { taints: [{ key: 'a', effect: 'NoSchedule' }] }),
      says: 'not schedulable: 1',
    },
    {
      what: 'tainted NoExecute',
      make: (world: World) => editNodeSpec(world, 'worker-0', { taints: [{ key: 'a', effect: 'NoExecute' }] }),
      says: 'not schedulable: 1',
    },
    {
      what: 'without a machine',
      make: (world: World) => editNodeSpec(world, 'worker-0', { providerID: 'aws:///i-1' }),
      says: 'not mapped to a machine of the fabric: 1',
    },
  ];
  const fit = [
    { what: 'uncordoned', make: (world: World) => editNodeSpec(world, 'worker-0', { unschedulable: false }) },
    { what: 'untainted', make: (world: World) => editNodeSpec(world, 'worker-0', { taints: [] }) },
    { what: 'untainted', make: (world: World) => editNodeSpec(world, 'worker-0', { taints: [] }) },
    {
      what: 'mapped',
      make: (world: World) => editNodeSpec(world, 'worker-0', { providerID: `fsas-cdi://${world.machines[0] ?? ''}` }),
    },
  ];

  it.each(unfit.map((from, index) => ({ ...from, to: fit[index] })))(
    'not one that is $what; mended, it is used at once',
    async ({ make, says, to }) => {
      const world = await makeWorld({ nodes: 1 });
      world.startOperator();
      make(world);
      await world.clock.advance(1_000);
      putRequest(world, 'story', { size: 1 });
      const waiting = await waitsBecause(world, 'story', 'InsufficientNodes');
      expect(waiting?.status?.error).toBe(`insufficient number of available nodes: 1 needed, 0 of 1 usable (${says})`);
      to?.make(world);
      expect(await timed(world, () => until(world, 'running', () => runsWith(world, 'story', 1)))).toBeLessThan(1_000);
    },
  );

  it('not one that is not ready; ready again, it is used at once, and one tainted PreferNoSchedule is', async () => {
    const world = await makeWorld({ nodes: 1 });
    world.startOperator();
    await world.nodes.setReady('worker-0', false);
    await world.clock.advance(1_000);
    putRequest(world, 'story', { size: 1 });
    const waiting = await waitsBecause(world, 'story', 'InsufficientNodes');
    expect(waiting?.status?.error).toContain('not ready: 1');
    editNodeSpec(world, 'worker-0', { taints: [{ key: 'a', effect: 'PreferNoSchedule' }] });
    await world.nodes.setReady('worker-0', true);
    expect(await timed(world, () => until(world, 'running', () => runsWith(world, 'story', 1)))).toBeLessThan(1_000);
  });

  it('too few for differentnode: it waits with one warning, and goes on at once when a node comes', async () => {
    const world = await makeWorld({ nodes: 2, devices: 4 });
    const last = { name: 'worker-1', machUuid: world.machines[1] ?? '' };
    await world.nodes.deleteNode('worker-1');
    world.startOperator();
    putRequest(world, 'apart', { size: 2, allocation_policy: 'differentnode' });
    const waiting = await waitsBecause(world, 'apart', 'InsufficientNodes');
    expect(waiting?.status?.error).toBe('insufficient number of available nodes: 2 needed, 1 of 1 usable');
    expect(childrenOf(world, 'apart')).toEqual([]);
    await world.clock.advance(300_000);
    expect(eventsOf(world, 'apart')).toMatchObject([{ type: 'Warning', reason: 'InsufficientNodes', count: 1 }]);
    const took = await timed(world, async () => {
      await world.nodes.addNode(last);
      await until(world, 'running', () => runsWith(world, 'apart', 2));
    });
    expect(took).toBeLessThan(2_000);
  });
});

describe('other_spec', () => {
  const pod = (name: string, node: string, cpu: string, phase = 'Running') => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: { nodeName: node, containers: [{ name: 'c', resources: { requests: { cpu } } }] },
    status: { phase },
  });

  it('is compared with what a node has left beside its pods, in thousandths of a core', async () => {
    const world = await makeWorld({ nodes: 2 });
    // 8 cores each: 4.5 left on worker-0, where a finished pod takes nothing; 7.5 on worker-1.
    world.kube.objects.put(pod('a', 'worker-0', '3500m'));
    world.kube.objects.put(pod('done', 'worker-0', '4', 'Succeeded'));
    world.kube.objects.put(pod('b', 'worker-1', '500m'));
    world.startOperator();
    await bringUp(world, 'small', { size: 1, other_spec: { milli_cpu: 4_500 }, target_node: 'worker-0' });
    await takeDown(world, 'small');
    const [child] = await bringUp(world, 'large', { size: 1, other_spec: { milli_cpu: 7_500 } });
    expect(child?.spec.target_node).toBe('worker-1');
    await takeDown(world, 'large');
    putRequest(world, 'target', { size: 1, other_spec: { milli_cpu: 4_501 }, target_node: 'worker-0' });
    const waiting = await waitsBecause(world, 'target', 'TargetNodeUnfit');
    expect(waiting?.status?.error).toContain(
      "TargetNode does not meet spec's requirements: node worker-0: less than 4501 milli_cpu free",
    );
    // Pods are not watched: the place that one leaves is found within half a minute.
    world.kube.objects.delete('pods', 'a', 'default');
    const took = await timed(world, () => until(world, 'running', () => runsWith(world, 'target', 1)));
    expect(took).toBeLessThan(31_000);
  });

  it.each([
    { field: 'memory', fits: 16 * 2 ** 30, toomuch: 16 * 2 ** 30 + 1 },
    { field: 'ephemeral_storage', fits: 512 * 2 ** 30, toomuch: 512 * 2 ** 30 + 1 },
    { field: 'allowed_pod_number', fits: 100, toomuch: 101 },
    { field: 'milli_cpu', fits: 8_000, toomuch: 8_001 },
  ])('$field: exactly what a node has fits, one more does not', async ({ field, fits, toomuch }) => {
    const world = await makeWorld({ nodes: 1, nodeActions: { tag: 'none' } });
    world.startOperator();
    await bringUp(world, 'fits', { size: 1, other_spec: { [field]: fits } });
    await takeDown(world, 'fits');
    putRequest(world, 'toomuch', { size: 1, other_spec: { [field]: toomuch } });
    const waiting = await waitsBecause(world, 'toomuch', 'InsufficientNodes');
    expect(waiting?.status?.error).toContain(`less than ${toomuch} ${field} free: 1`);
    expect(resourcesOf(world)).toEqual([]);
  });
});
