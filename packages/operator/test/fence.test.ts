import { describe, expect, it } from 'vitest';
import { annotate, bringUp, conditionOf, eventsOf, onlyResource, reasonOf, takeDown } from './world/acts.ts';
import { REQUESTS, requestOf, RESOURCES, resourcesOf, until } from './world/objects.ts';
import { makeWorld, type World, type WorldOptions } from './world/world.ts';

/* A device that leaves is kept from new pods by a DeviceTaintRule, in the version that the cluster serves. */

const RULES = 'devicetaintrules.resource.k8s.io';
const MINUTE = 60_000;

/** A world with one device that is Online, and an operator that has read everything. */
async function oneOnline(options: WorldOptions): Promise<{ world: World; name: string; deviceId: string }> {
  const world = await makeWorld({ nodes: 1, ...options });
  world.startOperator();
  await bringUp(world, 'story', { size: 1 });
  await world.clock.advance(1_000);
  world.figures.forget();
  const { metadata, status } = onlyResource(world);
  return { world, name: metadata.name, deviceId: status?.device_id ?? '' };
}

function rulesOf(world: World) {
  return world.kube.objects.list(RULES);
}

async function untilReason(world: World, reason: string): Promise<void> {
  await until(world, reason, () => resourcesOf(world).some((one) => reasonOf(one) === reason), MINUTE);
}

function isOver(world: World): boolean {
  return requestOf(world, 'story') === undefined && resourcesOf(world).length === 0;
}

/** Refuses a verb on DeviceTaintRules, as under a role that lacks it. */
function forbid(world: World, verbs: readonly string[], message = 'devicetaintrules is forbidden'): () => void {
  return world.kube.faults.add({
    match: ({ resource, verb }) => resource === RULES && verbs.includes(verb),
    when: 'before',
    times: Infinity,
    trouble: { tag: 'fail', code: 403, reason: 'Forbidden', message },
  });
}

describe.each(['v1alpha3', 'v1beta2', 'v1'] as const)('where %s is served', (version) => {
  it('a device is fenced before the fabric is asked, until it has left: one create and one delete', async () => {
    const { world, name, deviceId } = await oneOnline({ servedTaintRuleVersions: [version], detachMs: 5_000 });
    world.kube.objects.delete(REQUESTS, 'story');
    await until(world, 'the fabric is asked', () => world.fabric.calls().detach === 1);
    expect(rulesOf(world)).toMatchObject([
      {
        apiVersion: `resource.k8s.io/${version}`,
        metadata: { name: `${name}-taint`, ownerReferences: [{ kind: 'ComposableResource', name }] },
        spec: {
          deviceSelector: { driver: 'gpu.nvidia.com', pool: 'worker-0', device: 'gpu-0' },
          taint: { key: 'k8s.io/device-uuid', value: deviceId, effect: 'NoSchedule' },
        },
      },
    ]);
    await until(world, 'gone', () => isOver(world));
    expect(rulesOf(world)).toEqual([]);
    const writes = world.figures.writes().filter((write) => write.includes(RULES));
    expect(writes).toEqual([`create ${RULES} 201`, `delete ${RULES} 200`]);
  });
});

it('a rule that the Go operator has left is taken over, and taken away', async () => {
  const { world, name, deviceId } = await oneOnline({ detachMs: 5_000 });
  const before = world.kube.objects.put({
    apiVersion: 'resource.k8s.io/v1alpha3',
    kind: 'DeviceTaintRule',
    metadata: { name: `${name}-taint` },
    spec: {
      deviceSelector: { driver: 'gpu.nvidia.com', pool: 'worker-0', device: 'gpu-0' },
      taint: { key: 'k8s.io/device-uuid', value: deviceId, effect: 'NoSchedule' },
    },
  });
  world.kube.objects.delete(REQUESTS, 'story');
  await until(world, 'the fabric is asked', () => world.fabric.calls().detach === 1);
  expect(rulesOf(world)).toEqual([before]);
  await until(world, 'gone', () => isOver(world));
  expect(rulesOf(world)).toEqual([]);
});

it('the Go operator’s rules for resources that are gone go when an operator starts, and no other is looked for', async () => {
  const world = await makeWorld({ nodes: 1 });
  world.startOperator().kill();
  const spec = {
    deviceSelector: { driver: 'gpu.nvidia.com', pool: 'worker-0', device: 'gpu-0' },
    taint: { key: 'k8s.io/device-uuid', value: 'GPU-1', effect: 'NoSchedule' },
  };
  const metadata = { name: 'gpu-1-taint' };
  world.kube.objects.put({ apiVersion: 'resource.k8s.io/v1alpha3', kind: 'DeviceTaintRule', metadata, spec });
  world.startOperator();
  await until(world, 'it is gone', () => rulesOf(world).length === 0);
  await world.clock.advance(1_000);
  world.figures.forget();
  await world.clock.advance(10 * MINUTE);
  expect(world.figures.requests().filter(({ resource }) => resource === RULES)).toEqual([]);
});

describe('an object that is let go while its device leaves', () => {
  it('by its annotation: the fence goes first', async () => {
    const { world, name } = await oneOnline({ detachMs: 5_000 });
    world.kube.objects.delete(REQUESTS, 'story');
    await until(world, 'the fabric is asked', () => world.fabric.calls().detach === 1);
    annotate(world, RESOURCES, name, { 'cohdi.io/detached': 'true' });
    await until(world, 'gone', () => resourcesOf(world).length === 0);
    expect(rulesOf(world)).toEqual([]);
  });

  it('by hand: the rule goes with its owner', async () => {
    const { world, name } = await oneOnline({ detachMs: 5_000 });
    world.kube.objects.delete(REQUESTS, 'story');
    await until(world, 'the fabric is asked', () => world.fabric.calls().detach === 1);
    expect(rulesOf(world)).toHaveLength(1);
    const path = `/apis/cro.hpsys.ibm.ie.com/v1alpha1/composableresources/${name}`;
    const headers = { 'content-type': 'application/merge-patch+json' };
    const body = JSON.stringify({ metadata: { finalizers: null } });
    await world.kube.handle({ method: 'PATCH', path, headers, body }, new AbortController().signal);
    await until(world, 'both are gone', () => resourcesOf(world).length === 0 && rulesOf(world).length === 0, MINUTE);
  });
});

it('a device that leaves when its node shows it no more needs none', async () => {
  const { world } = await oneOnline({ servedTaintRuleVersions: [] });
  world.nodes.setDriverUp('worker-0', false);
  await until(world, 'not visible', () => conditionOf(onlyResource(world), 'Visible')?.status === 'False');
  await takeDown(world, 'story');
  expect(eventsOf(world).map(({ reason }) => reason)).not.toContain('FenceNotServed');
});

describe('where no version is served', () => {
  it('the device stays, says what to switch on, once, and leaves when it is', async () => {
    const { world, name } = await oneOnline({ servedTaintRuleVersions: [] });
    world.kube.objects.delete(REQUESTS, 'story');
    await untilReason(world, 'FenceNotServed');
    const { status } = onlyResource(world);
    expect(status).toMatchObject({ state: 'Detaching' });
    for (const part of [
      'DynamicResourceAllocation=true,DRADeviceTaints=true',
      '--runtime-config=resource.k8s.io/v1alpha3=true',
      'CRO_WITHOUT_FENCE=continue',
    ])
      expect(status?.error).toContain(part);
    await world.clock.advance(1_000);
    world.figures.forget();
    await world.clock.advance(10 * MINUTE);
    expect(world.figures.writes()).toEqual([]);
    // Discovery's three small documents a minute, and one live look at nothing else.
    expect(world.figures.requests().length).toBeLessThanOrEqual(30);
    expect(eventsOf(world, name).filter(({ reason }) => reason === 'FenceNotServed')).toMatchObject([
      { type: 'Warning', count: 1 },
    ]);
    expect(world.fabric.calls().detach).toBe(0);
    world.kube.serveTaintRules(['v1']);
    await until(world, 'gone', () => isOver(world), MINUTE + 5_000);
    expect(rulesOf(world)).toEqual([]);
  });

  it('several that wait share one look a minute, and go on together', async () => {
    const world = await makeWorld({ nodes: 1, servedTaintRuleVersions: [] });
    world.startOperator();
    await bringUp(world, 'story', { size: 3 });
    world.kube.objects.delete(REQUESTS, 'story');
    await until(world, 'all wait', () => resourcesOf(world).every((one) => reasonOf(one) === 'FenceNotServed'));
    await world.clock.advance(1_000);
    world.figures.forget();
    await world.clock.advance(10 * MINUTE);
    expect(world.figures.requests().length).toBeLessThanOrEqual(33);
    world.kube.serveTaintRules(['v1']);
    await until(world, 'the first goes', () => resourcesOf(world).length < 3, MINUTE + 5_000);
    await until(world, 'gone', () => isOver(world), 5_000);
  });

  it('and devices may leave without a fence, they do, and say so once', async () => {
    const fence = { tag: 'deviceTaintRules', without: 'continue' } as const;
    const { world, name } = await oneOnline({ servedTaintRuleVersions: [], fence, detachMs: 5_000 });
    world.kube.objects.delete(REQUESTS, 'story');
    await until(world, 'the fabric is asked', () => world.fabric.calls().detach === 1);
    expect(conditionOf(onlyResource(world), 'Fenced')).toMatchObject({ status: 'False', reason: 'FenceNotServed' });
    expect(conditionOf(onlyResource(world), 'Fenced')?.message).toContain('DRADeviceTaints');
    expect(onlyResource(world).status?.error).toBeUndefined();
    await until(world, 'gone', () => isOver(world));
    expect(eventsOf(world, name).filter(({ reason }) => reason === 'FenceNotServed')).toHaveLength(1);
  });
});

describe('where the operator may not write rules', () => {
  it('the device stays and names the permission, until it is there', async () => {
    const { world } = await oneOnline({});
    const allow = forbid(world, ['get', 'create', 'delete']);
    world.kube.objects.delete(REQUESTS, 'story');
    await untilReason(world, 'FenceForbidden');
    expect(onlyResource(world).status?.error).toMatch(/grant get, create and delete of devicetaintrules/);
    await world.clock.advance(5 * MINUTE);
    expect(world.fabric.calls().detach).toBe(0);
    allow();
    await until(world, 'gone', () => isOver(world), MINUTE + 5_000);
  });

  it('once it is fenced, it leaves all the same, and says once that the fence may be left behind', async () => {
    const { world, name } = await oneOnline({ detachMs: 5_000 });
    world.kube.objects.delete(REQUESTS, 'story');
    await until(world, 'the fabric is asked', () => world.fabric.calls().detach === 1);
    forbid(world, ['delete']);
    await until(world, 'gone', () => isOver(world));
    await world.clock.advance(1_000);
    const left = eventsOf(world, name).filter(({ reason }) => reason === 'FenceLeftBehind');
    expect(left).toMatchObject([{ type: 'Warning', count: 1 }]);
    expect(left[0]?.message).toContain(`DeviceTaintRule ${name}-taint may be left behind`);
  });

  it('or leaves without a fence, where that is configured', async () => {
    const fence = { tag: 'deviceTaintRules', without: 'continue' } as const;
    const { world, name } = await oneOnline({ fence });
    forbid(world, ['get', 'create', 'delete']);
    await takeDown(world, 'story', MINUTE);
    expect(eventsOf(world, name).filter(({ reason }) => reason === 'FenceForbidden')).toHaveLength(1);
  });
});

it('an upgrade in the middle of a detach: the fence is taken away in the version that is served then', async () => {
  const { world } = await oneOnline({ servedTaintRuleVersions: ['v1alpha3'], detachMs: 5_000 });
  world.kube.objects.delete(REQUESTS, 'story');
  await until(world, 'the fabric is asked', () => world.fabric.calls().detach === 1);
  world.kube.serveTaintRules(['v1']);
  expect(rulesOf(world)).toHaveLength(1);
  await until(world, 'gone', () => isOver(world));
  expect(rulesOf(world)).toEqual([]);
});

it('with a device plugin there is no fence', async () => {
  const { world } = await oneOnline({ fence: { tag: 'none' } });
  await takeDown(world, 'story');
  expect(world.figures.requests().filter(({ resource }) => resource === RULES)).toEqual([]);
});

it('whatever somebody else says is told on one printable line of bounded length, in the status and in events', async () => {
  const { world, name } = await oneOnline({});
  forbid(world, ['create'], `no\u001b[2J\u202eway\0\n${'x'.repeat(100_000)}`);
  world.kube.objects.delete(REQUESTS, 'story');
  await untilReason(world, 'FenceForbidden');
  await world.clock.advance(1_000);
  const { status } = onlyResource(world);
  const told = [status?.error, ...(status?.conditions ?? []).map(({ message }) => message)];
  told.push(...eventsOf(world, name).map(({ message }) => message));
  expect(status?.error).toContain('The API server says: no [2J way xxx');
  for (const text of told) {
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(text?.length).toBeLessThanOrEqual(2_048);
  }
});
