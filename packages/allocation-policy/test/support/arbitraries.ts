import type { ScalarResourceDetails } from '@cro/crd-types';
import fc from 'fast-check';
import type { Capacity, Child, NodeSnapshot, NodeUse, PlanInput } from '../../src/index.ts';

// Few values each, so that things meet: the same node, the same model, the same time.
const NODE_NAMES = ['n0', 'n1', 'n2', 'n3', 'n4'];
const name = fc.constantFrom(...NODE_NAMES);
const type = fc.constantFrom('gpu' as const, 'cxlmemory' as const);
const model = fc.constantFrom('A', 'B');
const policy = fc.constantFrom('samenode' as const, 'differentnode' as const);
const amount = fc.integer({ min: 0, max: 3 });
const mostly = (value: boolean) => fc.oneof({ weight: 4, arbitrary: fc.constant(value) }, fc.constant(!value));

const anyCapacity: fc.Arbitrary<Capacity> = fc.record({
  milliCpu: amount,
  memory: amount,
  ephemeralStorage: amount,
  pods: amount,
});

const anyUse: fc.Arbitrary<NodeUse> = fc.record({
  request: fc.constantFrom('mine', 'older', 'oldest'),
  policy,
  type,
  model,
});

const anyNode = (nodeName: string): fc.Arbitrary<NodeSnapshot> =>
  anyLoad.chain((load) => fc.record({ ...load, ...anyRest(nodeName) }));

/** What is free is never more than what can be had. */
const anyLoad = fc.tuple(anyCapacity, anyCapacity).map(([allocatable, wish]) => {
  const least = (amount: keyof Capacity) => Math.min(allocatable[amount], wish[amount]);
  const free: Capacity = {
    milliCpu: least('milliCpu'),
    memory: least('memory'),
    ephemeralStorage: least('ephemeralStorage'),
    pods: least('pods'),
  };
  return { allocatable: fc.constant(allocatable), free: fc.constant(free) };
});

const anyRest = (nodeName: string) => ({
  name: fc.constant(nodeName),
  ready: mostly(true),
  schedulable: mostly(true),
  machine: fc.option(fc.constant(`machine-${nodeName}`), { nil: undefined, freq: 5 }),
  composedDevices: fc.integer({ min: 0, max: 5 }),
  freeOnFabric: fc.constantFrom('yes' as const, 'yes' as const, 'unknown' as const, 'no' as const),
  usedBy: fc.array(anyUse, { maxLength: 2 }),
});

/** A child in any condition, even one that the caller should have left out. */
export const anyChild: fc.Arbitrary<Child> = fc.record({
  name: fc.stringMatching(/^gpu-[0-9a-f]{2}$/u),
  node: name,
  state: fc.constantFrom('', 'Attaching', 'Online', 'Detaching'),
  created: mostly(true),
  type: fc.constant('gpu'),
  model: fc.constantFrom('A', 'A', 'A', 'B'),
  forceDetach: mostly(false),
  hasDevice: fc.boolean(),
  failing: fc.boolean(),
  deleteAnnotated: fc.boolean(),
  lastUsedMs: fc.integer({ min: 0, max: 3 }),
});

/** A `spec.resource` that its schema accepts. */
export const anyResource: fc.Arbitrary<ScalarResourceDetails> = fc.record(
  {
    type: fc.constant('gpu' as const),
    model: fc.constantFrom('A', 'A', 'B'),
    size: fc.integer({ min: 0, max: 6 }),
    force_detach: mostly(false),
    allocation_policy: policy,
    target_node: fc.constantFrom('', '', '', 'n0', 'n1', 'gone'),
    other_spec: fc.record(
      { milli_cpu: amount, memory: amount, ephemeral_storage: amount, allowed_pod_number: amount },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['type', 'model', 'size'] },
);

/** A whole input: any subset of the nodes exists, and any children are there. */
export const anyInput: fc.Arbitrary<PlanInput> = fc.record({
  requestName: fc.constant('mine'),
  resource: anyResource,
  children: fc.uniqueArray(anyChild, { selector: (child) => child.name, maxLength: 8 }),
  nodes: fc.subarray(NODE_NAMES).chain((names) => fc.tuple(...names.map(anyNode))),
});
