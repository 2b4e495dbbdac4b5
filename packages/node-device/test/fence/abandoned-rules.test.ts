import { expect, test } from 'vitest';
import { removeAbandonedRules } from '../../src/index.ts';
import { fenceWorld, forbidden, NODE, RULES } from './world.ts';

const spec = {
  deviceSelector: { driver: 'gpu.nvidia.com', pool: NODE, device: 'gpu-0' },
  taint: { key: 'k8s.io/device-uuid', value: 'GPU-a', effect: 'NoSchedule' },
};
const owner = { apiVersion: 'cro.hpsys.ibm.ie.com/v1alpha1', kind: 'ComposableResource', name: 'gone', uid: 'uid-9' };

function rule(name: string, change: { readonly metadata?: object; readonly spec?: object } = {}) {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceTaintRule',
    metadata: { name, ...change.metadata },
    spec: { ...spec, ...change.spec },
  };
}

async function world(...rules: readonly object[]) {
  const { kube, client, access, log, told, answers, asked } = await fenceWorld(['v1']);
  for (const one of rules) kube.objects.put(one);
  const left = () =>
    (kube.objects.list(RULES) as readonly { readonly metadata: { readonly name: string } }[]).map(
      ({ metadata }) => metadata.name,
    );
  const run = () => removeAbandonedRules({ client, access, log, isThere: (name) => name === 'there' });
  return { run, left, told, answers, asked };
}

test('the Go operator’s rule goes when its resource is gone, and no other does', async () => {
  const others = [
    rule('there-taint'),
    rule('gone-owned-taint', { metadata: { ownerReferences: [owner] } }),
    rule('gone-foreign-taint', { spec: { taint: { ...spec.taint, key: 'example.com/broken' } } }),
    rule('gone-evicting-taint', { spec: { taint: { ...spec.taint, effect: 'NoExecute' } } }),
    rule('gone-wide-taint', { spec: { deviceSelector: { pool: NODE } } }),
    rule('by-hand'),
  ];
  const { run, left, asked } = await world(rule('gone-taint'), ...others);
  await run();
  expect([...left()].sort()).toEqual(others.map(({ metadata }) => metadata.name).sort());
  expect(asked().filter((what) => what.startsWith('GET /v1/devicetaintrules'))).toHaveLength(1);
});

test('who may not list them says so, and goes on', async () => {
  const { run, left, answers, told } = await world(rule('gone-taint'));
  answers.set('GET /v1/devicetaintrules', forbidden('list'));
  await run();
  expect(told).toContain('DeviceTaintRules of resources that are gone cannot be looked for');
  expect(left()).toEqual(['gone-taint']);
});

test('who may not delete them says so, of each', async () => {
  const { run, answers, told } = await world(rule('gone-taint'), rule('lost-taint'));
  answers.set('DELETE', forbidden('delete'));
  await run();
  expect(told.filter((message) => message === 'the DeviceTaintRule of a resource that is gone stays')).toHaveLength(2);
});
