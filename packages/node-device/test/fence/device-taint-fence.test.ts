import { describe, expect, test } from 'vitest';
import { DeviceTaintFence } from '../../src/index.ts';
import { fenceWorld, forbidden, NODE, pool, request, rule, RULE, RULES, stored } from './world.ts';
import { slice } from '../simulated-cluster.ts';

const DONE = { tag: 'done' };

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
    expect(asked()).toEqual([`DELETE /${version}/devicetaintrules/${RULE}`]);
  });

  test('that a process before this one has put up is read before it is deleted', async () => {
    const { fence, client, slices, access, asked, rule: find } = await fenceWorld([version]);
    expect(await fence.fence(request)).toEqual(DONE);
    asked();
    expect(await new DeviceTaintFence({ client, slices, access }).unfence(request)).toEqual(DONE);
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

  test('leaves its own rule alone once somebody has made it another’s', async () => {
    const { fence, kube, rule: find } = await fenceWorld(['v1']);
    expect(await fence.fence(request)).toEqual(DONE);
    kube.objects.put(stored('v1', { taint: { key: 'example.com/broken', effect: 'NoExecute' } }));
    expect(await fence.unfence(request)).toEqual(DONE);
    expect(find()).toMatchObject({ spec: { taint: { key: 'example.com/broken' } } });
  });

  test('goes where the answer to its deletion was lost, and where somebody has made it anew', async () => {
    const { fence, kube, answers, rule: find } = await fenceWorld(['v1']);
    await fence.fence(request);
    answers.set('DELETE', { status: 500, body: '{}' });
    expect(await fence.unfence(request)).toMatchObject({ tag: 'failed', failure: { kind: 'Unreachable' } });
    answers.clear();
    expect(await fence.unfence(request)).toEqual(DONE);
    expect(find()).toBeUndefined();
    await fence.fence(request);
    kube.objects.delete(RULES, RULE);
    kube.objects.put(stored('v1'));
    expect(await fence.unfence(request)).toEqual(DONE);
    expect(find()).toBeUndefined();
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
