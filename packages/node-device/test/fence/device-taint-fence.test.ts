import { describe, expect, test } from 'vitest';
import { fenceWorld, forbidden, NODE, pool, request, RULE, RULES } from './world.ts';
import { slice } from '../simulated-cluster.ts';

const DONE = { tag: 'done' };

/** The rule as the Go operator writes it. */
const rule = {
  deviceSelector: { driver: 'gpu.nvidia.com', pool: NODE, device: 'gpu-0' },
  taint: { key: 'k8s.io/device-uuid', value: 'GPU-a', effect: 'NoSchedule' },
};

function stored(version: string, spec: object = rule) {
  return { apiVersion: `resource.k8s.io/${version}`, kind: 'DeviceTaintRule', metadata: { name: RULE }, spec };
}

describe.each(['v1alpha3', 'v1beta2', 'v1'] as const)('a fence where %s is served', (version) => {
  test('is one create and one delete, of a rule that its resource owns', async () => {
    const { fence, asked, rule: find } = await fenceWorld([version]);
    expect(await fence.fence(request)).toEqual(DONE);
    expect(find()).toMatchObject({
      metadata: {
        ownerReferences: [
          { apiVersion: 'cro.hpsys.ibm.ie.com/v1alpha1', kind: 'ComposableResource', name: 'gpu-1', uid: 'uid-1' },
        ],
      },
      spec: rule,
    });
    expect(asked().filter((what) => !what.startsWith('GET'))).toEqual([`POST /${version}/devicetaintrules`]);
    expect(await fence.unfence(request)).toEqual(DONE);
    expect(find()).toBeUndefined();
    expect(asked()).toEqual([
      `GET /${version}/devicetaintrules/${RULE}`,
      `DELETE /${version}/devicetaintrules/${RULE}`,
    ]);
  });

  test('that is there already stays, be it our own or the Go operator’s', async () => {
    const { fence, kube, rule: find, asked } = await fenceWorld([version]);
    kube.objects.put(stored(version));
    const before = find();
    expect(await fence.fence(request)).toEqual(DONE);
    expect(await fence.fence(request)).toEqual(DONE);
    expect(find()).toEqual(before);
    expect(await fence.unfence(request)).toEqual(DONE);
    expect(find()).toBeUndefined();
    asked();
    expect(await fence.unfence(request)).toEqual(DONE);
    expect(asked()).toEqual([`GET /${version}/devicetaintrules/${RULE}`]);
  });
});

describe('a fence', () => {
  test('follows a device that its driver has renamed, by the newest generation of the pool', async () => {
    const { fence, kube, clock, rule: find } = await fenceWorld(['v1']);
    await fence.fence(request);
    kube.objects.put(slice('s1', { nodeName: NODE, pool: pool(2) }, ['GPU-c', 'GPU-a']));
    await clock.advance(1000);
    expect(await fence.fence(request)).toEqual(DONE);
    expect(find()).toMatchObject({ spec: { deviceSelector: { device: 'gpu-1' } } });
  });

  test('is not for the device that has the name now, where only an outdated slice still shows ours', async () => {
    const { fence, kube, clock, rule: find } = await fenceWorld(['v1']);
    kube.objects.put(slice('s1', { nodeName: NODE, pool: pool(2) }, ['GPU-b']));
    await clock.advance(1000);
    expect(await fence.fence(request)).toEqual(DONE);
    expect(find()).toBeUndefined();
  });

  test('is not for what another driver calls so, nor for what is offered to many nodes', async () => {
    const { fence, kube, clock } = await fenceWorld(['v1']);
    kube.objects.put(slice('m0', { nodeName: NODE, driver: 'monitor.example.com' }, ['GPU-a']));
    kube.objects.put(slice('p0', { allNodes: true }, ['GPU-a']));
    await clock.advance(1000);
    expect(await fence.fence(request)).toEqual(DONE);
    expect(kube.objects.list(RULES)).toMatchObject([{ metadata: { name: RULE }, spec: rule }]);
  });

  test('is not needed for a device that no slice shows, or that nobody can name', async () => {
    const { fence, asked } = await fenceWorld([]);
    expect(await fence.fence({ ...request, deviceId: 'GPU-z' })).toEqual(DONE);
    expect(await fence.fence({ ...request, node: 'worker-1' })).toEqual(DONE);
    expect(await fence.fence({ ...request, deviceId: '' })).toEqual(DONE);
    expect(asked()).toEqual([]);
  });

  test('leaves a rule alone that has our name and another’s taint', async () => {
    const { fence, kube, rule: find } = await fenceWorld(['v1']);
    kube.objects.put(stored('v1', { taint: { key: 'example.com/broken', effect: 'NoExecute' } }));
    expect(await fence.fence(request)).toMatchObject({ tag: 'failed', failure: { kind: 'Conflict' } });
    expect(await fence.unfence(request)).toEqual(DONE);
    expect(find()).toBeDefined();
  });

  test('that evicts is somebody’s wish, and fences too', async () => {
    const { fence, kube, rule: find } = await fenceWorld(['v1']);
    kube.objects.put(stored('v1', { ...rule, taint: { ...rule.taint, effect: 'NoExecute' } }));
    expect(await fence.fence(request)).toEqual(DONE);
    expect(find()).toMatchObject({ spec: { taint: { effect: 'NoExecute' } } });
  });

  test('goes on in the version that is served after an upgrade', async () => {
    const { fence, kube, rule: find } = await fenceWorld(['v1alpha3']);
    await fence.fence(request);
    kube.serveTaintRules(['v1']);
    expect(await fence.unfence(request)).toEqual(DONE);
    expect(find()).toBeUndefined();
    kube.serveTaintRules(['v1alpha3', 'v1beta2']);
    expect(await fence.fence(request)).toEqual(DONE);
    expect(find()).toMatchObject({ apiVersion: 'resource.k8s.io/v1beta2' });
  });

  test('ends when discovery and the server contradict each other', async () => {
    const { fence, answers } = await fenceWorld(['v1']);
    answers.set('POST', { status: 404, body: '404 page not found' });
    expect(await fence.fence(request)).toMatchObject({ tag: 'failed', failure: { kind: 'Unreachable' } });
  });

  test.each([
    ['a broken server', 'POST', 500, 'Unreachable'],
    ['a refused object', 'POST', 422, 'Rejected'],
    ['a server that cannot say what it serves', 'GET ', 503, 'Unreachable'],
  ] as const)('says what failed: %s', async (_what, at, status, kind) => {
    const { fence, answers } = await fenceWorld(['v1']);
    answers.set(at, { status, body: JSON.stringify({ kind: 'Status', message: 'this is why' }) });
    expect(await fence.fence(request)).toMatchObject({ tag: 'failed', failure: { kind } });
    expect(await fence.fence(request)).toHaveProperty('failure.message', expect.stringContaining('this is why'));
  });

  test('that may not be removed is told, and goes with its owner', async () => {
    const { fence, answers, kube } = await fenceWorld(['v1']);
    await fence.fence(request);
    answers.set('DELETE', forbidden('delete'));
    const outcome = await fence.unfence(request);
    expect(outcome).toMatchObject({ tag: 'leftBehind' });
    for (const part of [RULE, 'grant get, create and delete of devicetaintrules', 'cannot delete'])
      expect(outcome).toHaveProperty('message', expect.stringContaining(part));
    expect(kube.objects.count(RULES)).toBe(1);
  });

  test('that cannot be there, as no version is served, is no news', async () => {
    const { fence } = await fenceWorld([]);
    expect(await fence.unfence(request)).toEqual(DONE);
  });
});

describe('a device that several pools show', () => {
  const other = { driver: 'gpu.nvidia.com', pool: 'shared', device: 'gpu-1' };
  const otherSlice = slice('s1', { nodeName: NODE, driver: other.driver, pool: { ...pool(1), name: other.pool } }, [
    'GPU-c',
    'GPU-a',
  ]);

  async function shownTwice() {
    const world = await fenceWorld(['v1']);
    world.kube.objects.put(otherSlice);
    await world.clock.advance(1000);
    const selectors = () =>
      (world.kube.objects.list(RULES) as readonly { readonly spec: { readonly deviceSelector: object } }[]).map(
        ({ spec }) => spec.deviceSelector,
      );
    return { ...world, selectors };
  }

  test('is fenced in each driver and pool, and all of that goes again', async () => {
    const { fence, kube, asked, selectors } = await shownTwice();
    expect(await fence.fence(request)).toEqual(DONE);
    expect(selectors()).toHaveLength(2);
    expect(selectors()).toEqual(expect.arrayContaining([rule.deviceSelector, other]));
    expect(await fence.fence(request)).toEqual(DONE);
    expect(selectors()).toHaveLength(2);
    // They go although no slice shows the device any more.
    kube.objects.delete('resourceslices.resource.k8s.io', 's0');
    kube.objects.delete('resourceslices.resource.k8s.io', 's1');
    asked();
    expect(await fence.unfence(request)).toEqual(DONE);
    expect(kube.objects.count(RULES)).toBe(0);
    expect(asked().at(-1)).toBe(`DELETE /v1/devicetaintrules/${RULE}`);
  });

  test('is fenced in the second too where a rule of the Go operator is there already', async () => {
    const { fence, kube, selectors } = await shownTwice();
    kube.objects.put(stored('v1'));
    expect(await fence.fence(request)).toEqual(DONE);
    expect(selectors()).toHaveLength(2);
    expect(await fence.unfence(request)).toEqual(DONE);
    expect(kube.objects.count(RULES)).toBe(0);
  });

  test('has no second fence where the first fails', async () => {
    const { fence, answers, kube } = await shownTwice();
    answers.set('POST', forbidden('create'));
    expect(await fence.fence(request)).toMatchObject({ tag: 'unavailable', reason: 'FenceForbidden' });
    expect(kube.objects.count(RULES)).toBe(0);
  });

  test.each(['-1', '1.5', 'many', '1000000'])('a count that nobody here has written is none: %s', async (count) => {
    const { fence, kube, asked } = await fenceWorld(['v1']);
    const annotations = { 'cohdi.io/further-taint-rules': count };
    kube.objects.put({ ...stored('v1'), metadata: { name: RULE, annotations } });
    expect(await fence.unfence(request)).toEqual(DONE);
    expect(asked().filter((what) => what.includes('/devicetaintrules/'))).toEqual([
      `GET /v1/devicetaintrules/${RULE}`,
      `DELETE /v1/devicetaintrules/${RULE}`,
    ]);
  });
});

describe('a GPU that is cut up', () => {
  const whole = { name: 'gpu-0', attributes: { uuid: { string: 'GPU-a' } } };
  const part = (name: string) => ({ name, attributes: { parentUUID: { string: 'GPU-a' } } });
  const others = [
    { name: 'gpu-1', attributes: { uuid: { string: 'GPU-b' } } },
    { name: 'gpu-1-mig-1', attributes: { parentUUID: { string: 'GPU-b' } } },
  ];

  async function cutUp(...devices: readonly object[]) {
    const world = await fenceWorld(['v1']);
    const publish = async (generation: number, ...now: readonly object[]) => {
      const { spec, ...rest } = slice('s0', { nodeName: NODE, pool: pool(generation) }, []);
      world.kube.objects.put({ ...rest, spec: { ...spec, devices: [...now, ...others] } });
      await world.clock.advance(1000);
    };
    await publish(2, ...devices);
    const fenced = () =>
      (
        world.kube.objects.list(RULES) as readonly {
          readonly metadata: { readonly name: string };
          readonly spec: { readonly deviceSelector: { readonly device: string } };
        }[]
      )
        .map(({ metadata: { name }, spec }) => `${name}: ${spec.deviceSelector.device}`)
        .toSorted();
    return { ...world, publish, fenced };
  }

  test('is fenced whole and in parts, and none of another GPU; the whole has the name that the Go operator gives', async () => {
    const { fence, fenced } = await cutUp(part('gpu-0-mig-2'), part('gpu-0-mig-1'), whole);
    expect(await fence.fence(request)).toEqual(DONE);
    expect(fenced()).toEqual([`${RULE}-2: gpu-0-mig-1`, `${RULE}-3: gpu-0-mig-2`, `${RULE}: gpu-0`]);
    expect(await fence.unfence(request)).toEqual(DONE);
    expect(fenced()).toEqual([]);
  });

  test('is fenced in its parts where it has no entry of its own', async () => {
    const { fence, fenced } = await cutUp(part('gpu-0-mig-1'), part('gpu-0-mig-2'));
    expect(await fence.fence(request)).toEqual(DONE);
    expect(fenced()).toEqual([`${RULE}-2: gpu-0-mig-2`, `${RULE}: gpu-0-mig-1`]);
  });

  test('is fenced anew when it is cut up in another way, and nothing is left of either', async () => {
    const { fence, fenced, publish } = await cutUp(part('gpu-0-mig-1'), part('gpu-0-mig-2'), part('gpu-0-mig-3'));
    await fence.fence(request);
    await publish(3, part('gpu-0-mig-7'), part('gpu-0-mig-8'), part('gpu-0-mig-9'), part('gpu-0-mig-10'));
    expect(await fence.fence(request)).toEqual(DONE);
    expect(fenced()).toEqual([
      `${RULE}-2: gpu-0-mig-7`,
      `${RULE}-3: gpu-0-mig-8`,
      `${RULE}-4: gpu-0-mig-9`,
      `${RULE}: gpu-0-mig-10`,
    ]);
    await publish(4, whole);
    expect(await fence.fence(request)).toEqual(DONE);
    expect(fenced()).toContain(`${RULE}: gpu-0`);
    expect(await fence.unfence(request)).toEqual(DONE);
    expect(fenced()).toEqual([]);
  });

  test('has as many parts as one slice may hold, and all of them are fenced', async () => {
    const parts = Array.from({ length: 62 }, (_, index) => part(`gpu-0-mig-${index}`));
    const { fence, fenced } = await cutUp(whole, ...parts);
    expect(await fence.fence(request)).toEqual(DONE);
    expect(fenced()).toHaveLength(63);
    expect(await fence.unfence(request)).toEqual(DONE);
    expect(fenced()).toEqual([]);
  });
});
