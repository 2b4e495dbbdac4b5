import { describe, expect, test } from 'vitest';
import { fenceWorld, forbidden, request } from './world.ts';
import { bestVersion, howToServe } from '../../src/fence/served-version.ts';

const MINUTE = 60_000;

describe('where no version is served', () => {
  test('it is said what to switch on, and looked again once a minute at most, whoever asks', async () => {
    const { fence, asked, clock, told } = await fenceWorld([]);
    const outcomes = await Promise.all([fence.fence(request), fence.fence(request), fence.fence(request)]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ tag: 'unavailable', reason: 'FenceNotServed' });
      expect(outcome).toHaveProperty('message', howToServe({ major: 1, minor: 34 }));
    }
    expect(await fence.unfence(request)).toEqual({ tag: 'done' });
    expect(asked()).toEqual(['GET ', 'GET /v1', 'GET /version']);
    await clock.advance(10 * MINUTE);
    expect(asked()).toEqual([]);
    await fence.fence(request);
    await fence.fence(request);
    expect(asked()).toEqual(['GET ', 'GET /v1', 'GET /version']);
    expect(told).toEqual(['no fence']);
  });

  test('whoever waits is told when one is', async () => {
    const { fence, kube, clock, access } = await fenceWorld([]);
    let available = 0;
    const quiet = access.onAvailable(() => (available += 1));
    await fence.fence(request);
    kube.serveTaintRules(['v1']);
    expect(await fence.fence(request)).toMatchObject({ tag: 'unavailable' });
    await clock.advance(MINUTE);
    expect(await fence.fence(request)).toEqual({ tag: 'done' });
    expect(available).toBe(1);
    quiet();
  });
});

test('a missing permission is named, and tried again once a minute at most', async () => {
  const { fence, answers, asked, clock, access } = await fenceWorld(['v1']);
  let available = 0;
  access.onAvailable(() => (available += 1));
  answers.set('POST', forbidden('create'));
  const refused = await fence.fence(request);
  expect(refused).toMatchObject({ tag: 'unavailable', reason: 'FenceForbidden' });
  expect(refused).toHaveProperty('message', expect.stringMatching(/grant get, create and delete .*cannot create/));
  asked();
  expect(await fence.fence(request)).toEqual(refused);
  expect(asked()).toEqual([]);
  await clock.advance(MINUTE);
  expect(await fence.fence(request)).toEqual(refused);
  answers.clear();
  await clock.advance(MINUTE);
  expect(available).toBe(0);
  expect(await fence.fence(request)).toEqual({ tag: 'done' });
  expect(available).toBe(1);
});

test('the best version that is known here is chosen', () => {
  expect(bestVersion(['v1alpha3', 'v1'])).toBe('v1');
  expect(bestVersion(['v1alpha3', 'v1beta2'])).toBe('v1beta2');
  expect(bestVersion(['v2', 'v1alpha3'])).toBe('v1alpha3');
  expect(bestVersion(['v2'])).toBeUndefined();
});

test.each([
  [34, 'DRADeviceTaints=true, and kube-apiserver with --runtime-config=resource.k8s.io/v1alpha3=true'],
  [35, 'DRADeviceTaintRules=true, and kube-apiserver with --runtime-config=resource.k8s.io/v1alpha3=true'],
  [36, 'DRADeviceTaintRules=true, and kube-apiserver with --runtime-config=resource.k8s.io/v1beta2=true'],
  [37, 'DRADeviceTaintRules=true, and kube-apiserver with no --runtime-config that switches'],
])('what 1.%i lacks', (minor, expected) => {
  expect(howToServe({ major: 1, minor })).toContain(expected);
  expect(howToServe({ major: 1, minor })).toContain('DynamicResourceAllocation=true');
});

test('what a server lacks that does not say its version', () => {
  expect(howToServe(undefined)).toMatch(/DRADeviceTaintRules=true from 1.35 on.*v1alpha3=true \(before 1.36/);
});
