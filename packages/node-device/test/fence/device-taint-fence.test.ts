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

  test('that may not be removed keeps no device: its owner takes it along', async () => {
    const { fence, answers, kube, told } = await fenceWorld(['v1']);
    await fence.fence(request);
    answers.set('DELETE', forbidden('delete'));
    expect(await fence.unfence(request)).toEqual(DONE);
    expect(told).toContain('a DeviceTaintRule may be left behind');
    expect(kube.objects.count(RULES)).toBe(1);
  });
});
