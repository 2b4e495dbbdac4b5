import { VirtualClock } from '@cro/clock/testing';
import { createFabricSim, defaultTenant, makeGpus, makeMachines, seededRandom } from '@cro/fabric-sim';
import { createNodeSim, sliceName, type NodeSimOptions, type Problem } from '@cro/node-sim';
import { MemoryApi } from './memory-api.ts';

export const MODEL = 'NVIDIA-A100-PCIE-80GB';

export interface Slice {
  metadata: { ownerReferences: { name: string; uid: string }[] };
  spec: {
    driver: string;
    nodeName: string;
    pool: { name: string; generation: number; resourceSliceCount: number };
    devices: { name: string; attributes: Record<string, { string?: string }> }[];
  };
}

/** A fabric and its nodes on a virtual clock, with an API server's objects in memory. */
export function makeWorld(options: Partial<NodeSimOptions> = {}, size = { devices: 4, machines: 2 }) {
  const clock = new VirtualClock();
  const machines = makeMachines(size.machines);
  const devices = makeGpus(size.devices, MODEL);
  const fabric = createFabricSim({ clock, random: seededRandom(1), devices, machines, tenant: defaultTenant });
  const api = new MemoryApi();
  const problems: Problem[] = [];
  const nodes = createNodeSim({
    clock,
    fabric,
    api,
    nodes: machines.map(({ machUuid }, index) => ({ name: `worker-${index}`, machUuid })),
    report: (problem) => problems.push(problem),
    ...options,
  });
  const slice = (node: string) => api.read<Slice>(`/apis/resource.k8s.io/v1/resourceslices/${sliceName(node)}`);
  const uuids = (node: string) => slice(node).spec.devices.map((device) => device.attributes['uuid']?.string);
  return { clock, machines, devices, fabric, api, problems, nodes, slice, uuids };
}

/** An item that has to be there. */
export function at<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error(`there is no item ${index}`);
  return item;
}
