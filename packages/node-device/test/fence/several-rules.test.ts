import { describe, expect, test } from 'vitest';
import { fenceWorld, forbidden, NODE, pool, request, rule, RULE, RULES, stored } from './world.ts';
import { slice } from '../simulated-cluster.ts';

const DONE = { tag: 'done' };

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
