import { VirtualClock } from '@cro/clock/testing';
import { createFabricSim, defaultTenant, makeGpus, makeMachines, seededRandom } from '@cro/fabric-sim';
import { createKubeSim } from '@cro/kube-sim';
import { createNodeSim, sliceName, type Api, type Problem } from '@cro/node-sim';
import { describe, expect, it } from 'vitest';
import { at, MODEL, type Slice } from './world.ts';

/** The same world as elsewhere, but with a whole API server. */
function makeCluster(size: { devices: number; machines: number }) {
  const clock = new VirtualClock();
  const random = seededRandom(2);
  const machines = makeMachines(size.machines);
  const devices = makeGpus(size.devices, MODEL);
  const fabric = createFabricSim({ clock, random, devices, machines, tenant: defaultTenant });
  const kube = createKubeSim({ clock, random });
  const api: Api = {
    async send({ headers = {}, ...request }) {
      const { status, body } = await kube.handle({ ...request, headers }, new AbortController().signal);
      if (typeof body !== 'string') throw new Error(`${request.path} was answered with a stream`);
      return { status, body };
    },
  };
  const problems: Problem[] = [];
  const nodes = createNodeSim({
    clock,
    fabric,
    api,
    nodes: machines.map(({ machUuid }, index) => ({ name: `worker-${index}`, machUuid })),
    report: (problem) => problems.push(problem),
  });
  const read = async <T>(path: string) => JSON.parse((await api.send({ method: 'GET', path })).body) as T;
  return { clock, machines, devices, fabric, api, nodes, problems, read };
}

const SLICES = '/apis/resource.k8s.io/v1/resourceslices';

describe('against a whole API server', () => {
  it('a node keeps its status from its creation on, and its Ready condition follows', async () => {
    const { nodes, read, machines } = makeCluster({ devices: 1, machines: 1 });
    await nodes.start();
    interface Node {
      spec: { providerID: string };
      status: { allocatable: { pods: string }; conditions: { type: string; status: string }[] };
    }
    const node = await read<Node>('/api/v1/nodes/worker-0');
    expect(node.spec.providerID).toBe(`fsas-cdi://${at(machines, 0).machUuid}`);
    expect(node.status.allocatable.pods).toBe('100');
    await nodes.setReady('worker-0', false);
    const { status } = await read<Node>('/api/v1/nodes/worker-0');
    expect(status.conditions).toMatchObject([{ type: 'Ready', status: 'Unknown' }]);
    expect(status.allocatable.pods).toBe('100');
  });

  it('a slice lost to the garbage collector with its node is no problem', async () => {
    const { nodes, read, fabric, machines, devices, problems } = makeCluster({ devices: 2, machines: 1 });
    await nodes.start();
    fabric.move(at(devices, 0).resUuid, at(machines, 0).machUuid);
    await nodes.settled();
    await nodes.deleteNode('worker-0');
    expect((await read<{ items: unknown[] }>(SLICES)).items).toEqual([]);
    await nodes.addNode({ name: 'worker-0', machUuid: at(machines, 0).machUuid });
    await nodes.settled();
    const slice = await read<Slice>(`${SLICES}/${sliceName('worker-0')}`);
    expect(slice.spec.devices).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  it('500 machines with 4,000 devices are shown in full, and emptied again', async () => {
    const { nodes, read, fabric, machines, devices, problems } = makeCluster({ devices: 4_000, machines: 500 });
    await nodes.start();
    for (const [index, device] of devices.entries()) fabric.move(device.resUuid, at(machines, index % 500).machUuid);
    await nodes.settled();
    const shown = async () =>
      (await read<{ items: Slice[] }>(SLICES)).items.flatMap(({ spec }) =>
        spec.devices.map((device) => device.attributes['uuid']?.string ?? ''),
      );
    expect((await shown()).sort()).toEqual(devices.map((device) => device.serial).sort());
    for (const device of devices) fabric.move(device.resUuid, undefined);
    await nodes.settled();
    expect(await shown()).toEqual([]);
    expect(problems).toEqual([]);
  });
});
