import { loadProvider } from '@cro/cdi-core';
import { clusterManager } from '@cro/cdi-fti';
import { describe, expect, test } from 'vitest';
import { openCm } from '../support/cm.ts';
import { contextOf } from '../support/fabric.ts';

const onNode = { 'machine.openshift.io/machine': 'openshift-machine-api/machine-worker-0' };
const onMachine = { 'metal3.io/BareMetalHost': 'openshift-machine-api/bmh-worker-0' };

function locate(annotations: Readonly<Record<string, string>>, withMachine: boolean) {
  const { host, provider, machine } = openCm();
  const [machineKind, hostKind] = clusterManager.reads;
  if (machineKind === undefined || hostKind === undefined) throw new Error('CM reads two kinds');
  const named = (name: string, more: Record<string, string>) => ({
    metadata: { name, namespace: 'openshift-machine-api', annotations: more },
  });
  if (withMachine) host.put(machineKind, named('machine-worker-0', onMachine));
  host.put(hostKind, named('bmh-worker-0', { 'cluster-manager.cdi.io/machine': machine }));
  // A providerID is no help: a cluster of CM knows its machines by their hosts.
  const node = { name: 'worker-0', providerId: `fsas-cdi://${machine}`, annotations };
  return provider.locate(node, contextOf(provider));
}

describe('the machine of a node', () => {
  test('is found through OpenShift’s Machine and the BareMetalHost', async () => {
    expect(await locate(onNode, true)).toEqual({ tag: 'machine', machine: openCm().machine });
  });

  test('is none where the node has no annotation', async () => {
    const message = "failed to get annotation 'machine.openshift.io/machine' from Node worker-0, now is ''";
    expect(await locate({}, true)).toEqual({ tag: 'unmapped', message });
  });

  test('needs a person where the Machine is missing', async () => {
    const message = 'machines.machine.openshift.io "machine-worker-0" not found';
    expect(await locate(onNode, false)).toEqual({ tag: 'failed', failure: { kind: 'Blocked', message } });
  });
});

test('a configuration without a cluster is refused', () => {
  const loaded = loadProvider(clusterManager, { endpoint: 'cm', tenantId: 't' });
  expect(loaded).toMatchObject({ tag: 'failed' });
  expect(JSON.stringify(loaded)).toContain("must have required property 'clusterId'");
});
