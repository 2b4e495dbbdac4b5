import { defaultRules, plan, type Filter, type NodeSnapshot } from '@cro/allocation-policy';

const room = { milliCpu: 8000, memory: 2 ** 34, ephemeralStorage: 2 ** 39, pods: 100 };
const node = (name: string, composedDevices: number): NodeSnapshot => ({
  name,
  ready: true,
  schedulable: true,
  machine: `machine-of-${name}`,
  allocatable: room,
  free: room,
  composedDevices,
  freeOnFabric: 'yes',
  usedBy: [],
});

export const answer = plan({
  requestName: 'training',
  resource: { type: 'gpu', model: 'NVIDIA-A100-PCIE-80GB', size: 2, other_spec: { milli_cpu: 4000 } },
  children: [],
  nodes: [node('worker-0', 1), node('worker-1', 0)],
});
// answer is { tag: 'planned', keep: [], drop: [], create: ['worker-1', 'worker-1'] }

const notInMaintenance: Filter = {
  name: 'notInMaintenance',
  refusal: 'Unfit',
  judgesOwnNode: true,
  passes: (node) => !node.name.startsWith('maintenance-'),
  problem: () => 'in maintenance',
};
export const rules = { ...defaultRules, filters: [...defaultRules.filters, notInMaintenance] };
