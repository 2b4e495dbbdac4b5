import { fabricManager } from '@cro/cdi-fti';
import type { NodeFacts, ReadKind } from '@cro/cdi-core';
import { describe, expect, test } from 'vitest';
import { configFor, contextOf, openFabric } from './support/fabric.ts';

const [METAL3_MACHINE, BARE_METAL_HOST] = fabricManager.reads as [ReadKind, ReadKind];
const UUID = '00000000-5000-4000-8000-000000000000';

function node(changes: Partial<NodeFacts> = {}): NodeFacts {
  return { name: 'worker-0', annotations: {}, ...changes };
}

describe('without a cluster id', () => {
  const { provider } = openFabric();

  test('the machine stands in the providerID', async () => {
    const found = await provider.locate(node({ providerId: `fsas-cdi://${UUID}` }), contextOf(provider));
    expect(found).toEqual({ tag: 'machine', machine: UUID });
  });

  test.each([
    [undefined, ''],
    ['aws:///eu-west-1a/i-0123', 'aws:///eu-west-1a/i-0123'],
    [`fsas-cdi://${UUID}/x`, `fsas-cdi://${UUID}/x`],
    ['fsas-cdi://..', 'fsas-cdi://..'],
    ['fsas-cdi://a?b', 'fsas-cdi://a?b'],
    ['fsas-cdi://a\n\u001b[31mb', 'fsas-cdi://a [31mb'],
  ])('%j is not on the fabric', async (providerId, told) => {
    const facts = node(providerId === undefined ? {} : { providerId });
    expect(await provider.locate(facts, contextOf(provider))).toEqual({
      tag: 'unmapped',
      message: `invalid format: expected 'fsas-cdi://machineUUID', now is '${told}'`,
    });
  });

  test('neither Metal3Machine nor BareMetalHost need be served', () => {
    expect(fabricManager.readsFor?.(configFor('fm.test'))).toEqual([]);
    expect(fabricManager.readsFor?.({ ...configFor('fm.test'), clusterId: 'c' })).toEqual(fabricManager.reads);
  });
});

describe('with a cluster id', () => {
  function open() {
    const fabric = openFabric({}, { clusterId: '00000000-2000-4000-8000-000000000000' });
    const named = (name: string, annotations: Record<string, string> = {}) => ({
      metadata: { name, namespace: 'openshift-machine-api', annotations },
    });
    return {
      ...fabric,
      machine: (annotations?: Record<string, string>) => {
        fabric.host.put(METAL3_MACHINE, named('machine-worker-0', annotations));
      },
      bmh: (annotations?: Record<string, string>) => {
        fabric.host.put(BARE_METAL_HOST, named('bmh-worker-0', annotations));
      },
      locate: (annotations: Record<string, string>) =>
        fabric.provider.locate(node({ annotations }), contextOf(fabric.provider)),
    };
  }
  const onNode = { 'machine.openshift.io/machine': 'openshift-machine-api/machine-worker-0' };
  const onMachine = { 'metal3.io/BareMetalHost': 'openshift-machine-api/bmh-worker-0' };

  test('the annotations lead to the machine', async () => {
    const { machine, bmh, locate } = open();
    machine(onMachine);
    bmh({ 'cluster-manager.cdi.io/machine': UUID });
    expect(await locate(onNode)).toEqual({ tag: 'machine', machine: UUID });
  });

  test('a Node without its annotation is not on the fabric', async () => {
    const { locate } = open();
    expect(await locate({})).toEqual({
      tag: 'unmapped',
      message: "failed to get annotation 'machine.openshift.io/machine' from Node worker-0, now is ''",
    });
  });

  test('every other break is told, and needs a person', async () => {
    const { machine, bmh, locate } = open();
    const told = async (annotations: Record<string, string> = onNode) => {
      const outcome = await locate(annotations);
      if (outcome.tag !== 'failed') throw new Error(outcome.tag);
      expect(outcome.failure.kind).toBe('Blocked');
      return outcome.failure.message;
    };
    expect(await told({ 'machine.openshift.io/machine': 'no-slash' })).toBe(
      "failed to get annotation 'machine.openshift.io/machine' from Node worker-0, now is 'no-slash'",
    );
    expect(await told()).toBe('metal3machines.infrastructure.cluster.x-k8s.io "machine-worker-0" not found');
    machine();
    expect(await told()).toBe(
      "failed to get annotation 'metal3.io/BareMetalHost' from Machine machine-worker-0, now is ''",
    );
    machine(onMachine);
    expect(await told()).toBe('baremetalhosts.metal3.io "bmh-worker-0" not found');
    bmh();
    expect(await told()).toBe(
      "failed to get annotation 'cluster-manager.cdi.io/machine' from BareMetalHost bmh-worker-0, now is ''",
    );
    bmh({ 'cluster-manager.cdi.io/machine': '../../other' });
    expect(await told()).toContain("now is '../../other'");
  });
});
