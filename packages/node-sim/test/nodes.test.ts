import { describe, expect, it } from 'vitest';
import { sliceName } from '@cro/node-sim';
import { status } from './memory-api.ts';
import { at, makeWorld } from './world.ts';

interface Node {
  spec: { providerID: string };
  status: {
    conditions: { type: string; status: string }[];
    capacity: Record<string, string>;
    allocatable: Record<string, string>;
    nodeInfo: { systemUUID: string };
  };
}

const NODE = '/api/v1/nodes/worker-0';
const SLICE = `/apis/resource.k8s.io/v1/resourceslices/${sliceName('worker-0')}`;

describe('a node', () => {
  it('is registered with the providerID, system UUID and resources of its machine', async () => {
    const { machines, nodes, api } = makeWorld();
    await nodes.start();
    const { spec, status } = api.read<Node>(NODE);
    const { machUuid } = at(machines, 0);
    expect(spec.providerID).toBe(`fsas-cdi://${machUuid}`);
    expect(status.nodeInfo.systemUUID).toBe(machUuid);
    expect(status.allocatable).toEqual({ cpu: '8', memory: '16Gi', 'ephemeral-storage': '512Gi', pods: '100' });
    expect(status.capacity).toEqual(status.allocatable);
    expect(status.conditions).toMatchObject([{ type: 'Ready', status: 'True' }]);
  });

  it('has the sizes, labels, annotations and ids that it was given', async () => {
    const { machines, nodes, api } = makeWorld({ nodes: [] });
    const sizes = { cpu: '32', memory: '64Gi', ephemeralStorage: '2Ti', pods: '20' };
    const names = { labels: { zone: 'a' }, annotations: { 'machine.openshift.io/machine': 'ns/m-0' } };
    const ids = { machUuid: at(machines, 0).machUuid, providerId: 'other://1', systemUuid: 'abc' };
    await nodes.addNode({ name: 'worker-0', ...ids, ...sizes, ...names });
    interface Named extends Node {
      metadata: { labels: object; annotations: object };
    }
    const { metadata, spec, status } = api.read<Named>(NODE);
    expect(status.capacity).toEqual({ cpu: '32', memory: '64Gi', 'ephemeral-storage': '2Ti', pods: '20' });
    expect(metadata.labels).toMatchObject({ zone: 'a', 'kubernetes.io/hostname': 'worker-0' });
    expect(metadata.annotations).toEqual(names.annotations);
    expect([spec.providerID, status.nodeInfo.systemUUID]).toEqual(['other://1', 'abc']);
  });

  it('turns not ready and ready again', async () => {
    const { nodes, api } = makeWorld();
    await nodes.start();
    await nodes.setReady('worker-0', false);
    expect(api.read<Node>(NODE).status.conditions).toMatchObject([{ type: 'Ready', status: 'Unknown' }]);
    await nodes.setReady('worker-0', true);
    expect(api.read<Node>(NODE).status.conditions).toMatchObject([{ type: 'Ready', status: 'True' }]);
  });

  it('goes with its slice, and comes back with the devices that its machine has by then', async () => {
    const { machines, devices, fabric, nodes, api, uuids } = makeWorld();
    await nodes.start();
    const { machUuid } = at(machines, 0);
    fabric.move(at(devices, 0).resUuid, machUuid);
    await nodes.settled();
    await nodes.deleteNode('worker-0');
    expect(api.objects.has(NODE)).toBe(false);
    expect(api.objects.has(SLICE)).toBe(false);
    fabric.move(at(devices, 1).resUuid, machUuid);
    await nodes.settled();
    expect(api.objects.has(SLICE)).toBe(false);
    await nodes.addNode({ name: 'worker-0', machUuid });
    await nodes.settled();
    expect(uuids('worker-0')).toEqual([at(devices, 0).serial, at(devices, 1).serial]);
  });

  it('that somebody else has deleted is gone all the same; a refused deletion is told', async () => {
    const { nodes, api } = makeWorld();
    await nodes.start();
    api.objects.delete(NODE);
    await nodes.deleteNode('worker-0');
    expect(api.objects.has(SLICE)).toBe(false);
    api.answers.push((request) => (request.method === 'DELETE' ? status(403) : undefined));
    await expect(nodes.deleteNode('worker-1')).rejects.toThrow(/^delete Node worker-1: .* was answered 403/);
  });

  it('whose driver is down has no slice; the driver brings back what is there by then', async () => {
    const { machines, devices, fabric, nodes, api, uuids } = makeWorld();
    await nodes.start();
    fabric.move(at(devices, 0).resUuid, at(machines, 0).machUuid);
    nodes.setDriverUp('worker-0', false);
    fabric.move(at(devices, 1).resUuid, at(machines, 0).machUuid);
    await nodes.settled();
    expect(api.objects.has(SLICE)).toBe(false);
    nodes.setDriverUp('worker-0', true);
    await nodes.settled();
    expect(uuids('worker-0')).toHaveLength(2);
  });

  it('that is not there is named in the error', async () => {
    const { nodes } = makeWorld();
    await expect(nodes.setReady('worker-9', true)).rejects.toThrow('there is no node worker-9');
    expect(() => {
      nodes.setDriverUp('worker-9', true);
    }).toThrow('there is no node worker-9');
  });
});
