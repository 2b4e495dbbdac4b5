import { defaultRules, plan, type Filter, type NodeSnapshot, type PlanInput } from '@cro/allocation-policy';

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
const input: PlanInput = {
  requestName: 'training',
  resource: { type: 'gpu', model: 'NVIDIA-A100-PCIE-80GB', size: 2, other_spec: { milli_cpu: 4000 } },
  children: [],
  nodes: [node('worker-0', 2), node('worker-1', 0), node('worker-2', 1)],
};

console.log(plan(input)); // { tag: 'planned', keep: [], drop: [], create: [ 'worker-1', 'worker-1' ] }

// A rule of your own goes to the others.
const spare: Filter = {
  name: 'spare',
  refusal: 'Unfit',
  judgesOwnNode: true,
  passes: ({ name }) => name !== 'worker-1',
  problem: () => 'held in reserve',
};
console.log(plan(input, { ...defaultRules, filters: [...defaultRules.filters, spare] }));
// { tag: 'planned', keep: [], drop: [], create: [ 'worker-2', 'worker-2' ] }
