import { describe, expect, it } from 'vitest';
import { defaultRules, type Filter, type NodeSnapshot, type NodeUse, plan, type Score } from '../src/index.ts';
import { capacity, child, MODEL, node, planFor, request } from './support/cases.ts';

const rival: NodeUse = { request: 'older', policy: 'samenode', type: 'gpu', model: MODEL };

/** A node that one filter refuses, and what that filter says of it. */
const REFUSED: readonly [string, Partial<NodeSnapshot>, string][] = [
  ['not ready', { ready: false }, 'not ready'],
  ['cordoned', { schedulable: false }, 'not schedulable'],
  ['not mapped', { machine: undefined }, 'not mapped to a machine of the fabric'],
  ['fabric exhausted', { freeOnFabric: 'no' }, `no gpu ${MODEL} free on its fabric`],
];

describe('filters', () => {
  it.each(REFUSED)('goes around a node that is refused: %s', (_name, more) => {
    const nodes = [node('a', undefined, more), node('b')];
    expect(planFor(request(), [], nodes)).toMatchObject({ create: ['b', 'b'] });
  });

  it.each(REFUSED)('says what is wrong with the target node: %s', (_name, more, problem) => {
    const nodes = [node('a', undefined, more), node('b')];
    expect(planFor(request({ target_node: 'a' }), [], nodes)).toMatchObject({
      reason: 'TargetNodeUnfit',
      message: `TargetNode does not meet spec's requirements: node a: ${problem}`,
    });
  });

  it('says everything that is wrong with the target node', () => {
    const nodes = [node('a', undefined, { ready: false, schedulable: false, usedBy: [rival] })];
    expect(planFor(request({ target_node: 'a' }), [], nodes)).toMatchObject({
      reason: 'TargetNodeUnfit',
      message: `TargetNode does not meet spec's requirements: node a: not ready, not schedulable, gpu ${MODEL} there belongs to older`,
    });
  });

  it.each(REFUSED)('does not add to the node of its devices, and keeps them: %s', (_name, more, problem) => {
    const nodes = [node('a', undefined, more), node('b')];
    expect(planFor(request({ size: 3 }), [child('gpu-1', 'a'), child('gpu-2', 'a')], nodes)).toEqual({
      tag: 'unplaceable',
      reason: 'InsufficientNodes',
      keep: ['gpu-1', 'gpu-2'],
      drop: [],
      message: `insufficient number of available nodes: node a, which holds the other devices of this request: ${problem}`,
    });
  });

  it('lets an unknown supply pass', () => {
    expect(planFor(request(), [], [node('a', undefined, { freeOnFabric: 'unknown' })]).tag).toBe('planned');
  });

  it('counts each node once, for the first filter that refuses it', () => {
    const nodes = [
      ...REFUSED.map(([, more], index) => node(`refused-${index}`, undefined, { ...more, usedBy: [rival] })),
      node('small', capacity(1, 1, 1, 1)),
      node('taken', undefined, { usedBy: [rival] }),
    ];
    expect(planFor(request({ other_spec: { milli_cpu: 2000 } }), [], nodes)).toMatchObject({
      message:
        'insufficient number of available nodes: 1 needed, 0 of 6 usable (not ready: 1; not schedulable: 1; ' +
        'not mapped to a machine of the fabric: 1; less than 2000 milli_cpu free: 1; ' +
        `no gpu ${MODEL} free on its fabric: 1; gpu ${MODEL} there belongs to another samenode request: 1)`,
    });
  });

  it('says how many nodes were usable', () => {
    const nodes = [node('a'), node('b'), node('c', undefined, { ready: false })];
    expect(planFor(request({ allocation_policy: 'differentnode', size: 3 }), [], nodes)).toMatchObject({
      message: 'insufficient number of available nodes: 3 needed, 2 of 3 usable (not ready: 1)',
    });
    expect(planFor(request(), [], [])).toMatchObject({
      message: 'insufficient number of available nodes: 1 needed, 0 of 0 usable',
    });
  });
});

describe('other requests', () => {
  it('conflict when the target node has the same kind of device for another samenode request', () => {
    const nodes = [node('a', undefined, { usedBy: [{ ...rival, request: 'z' }, rival] }), node('b')];
    expect(planFor(request({ target_node: 'a' }), [], nodes)).toMatchObject({
      reason: 'Conflict',
      message: `TargetNode does not meet spec's requirements: node a: gpu ${MODEL} there belongs to older`,
    });
  });

  it('conflict on growing, and nothing that is there is given up', () => {
    const nodes = [node('a', undefined, { usedBy: [rival] }), node('b')];
    expect(planFor(request({ size: 2 }), [child('gpu-1', 'a')], nodes)).toMatchObject({
      reason: 'Conflict',
      keep: ['gpu-1'],
      drop: [],
    });
  });

  it.each<[string, NodeUse]>([
    ['itself', { ...rival, request: 'mine' }],
    ['another policy', { ...rival, policy: 'differentnode' }],
    ['another type', { ...rival, type: 'cxlmemory' }],
    ['another model', { ...rival, model: 'other' }],
  ])('do not conflict: %s', (_name, use) => {
    const nodes = [node('a', undefined, { usedBy: [use] })];
    expect(planFor(request({ target_node: 'a' }), [], nodes).tag).toBe('planned');
  });

  it('do not concern a differentnode request', () => {
    const nodes = [node('a', undefined, { usedBy: [rival] })];
    const resource = request({ size: 1, allocation_policy: 'differentnode' });
    expect(planFor(resource, [], nodes)).toMatchObject({ create: ['a'] });
  });
});

describe('scores', () => {
  it('prefers the node with the fewest composed devices, then the first name', () => {
    const counted = (counts: readonly number[]) =>
      counts.map((composedDevices, index) => node(`n${index}`, undefined, { composedDevices }));
    const resource = request({ allocation_policy: 'differentnode', size: 3 });
    expect(planFor(resource, [], counted([2, 1, 1, 0]))).toMatchObject({ create: ['n3', 'n1', 'n2'] });
    expect(planFor(request(), [], counted([2, 1, 1, 3]))).toMatchObject({ create: ['n1', 'n1'] });
  });

  it('does not count the devices that leave with this plan', () => {
    const leaving = [child('gpu-1', 'a', { model: 'old' }), child('gpu-2', 'a', { model: 'old' })];
    const nodes = [node('a', undefined, { composedDevices: 3 }), node('b', undefined, { composedDevices: 2 })];
    expect(planFor(request(), leaving, nodes)).toMatchObject({ create: ['a', 'a'] });
  });
});

describe('own rules', () => {
  it('find the present ones by name', () => {
    expect(defaultRules.scores.map(({ name }) => name)).toEqual(['fewestDevices']);
    expect(defaultRules.filters.map(({ name }) => name)).toEqual([
      'ready',
      'schedulable',
      'mapped',
      'milliCpu',
      'memory',
      'ephemeralStorage',
      'pods',
      'freeOnFabric',
      'notTaken',
    ]);
  });

  const input = { requestName: 'mine', resource: request(), children: [], nodes: [node('a'), node('b'), node('c')] };

  it('may add a filter', () => {
    const notA: Filter = {
      name: 'notA',
      refusal: 'Unfit',
      judgesOwnNode: true,
      passes: ({ name }) => name !== 'a',
      problem: () => 'called a',
    };
    const rules = { ...defaultRules, filters: [...defaultRules.filters, notA] };
    expect(plan(input, rules)).toMatchObject({ create: ['b', 'b'] });
  });

  it('may put a score before the others', () => {
    const lastName: Score = { name: 'lastName', of: ({ name }) => -name.charCodeAt(0) };
    const rules = { ...defaultRules, scores: [lastName, ...defaultRules.scores] };
    expect(plan(input, rules)).toMatchObject({ create: ['c', 'c'] });
  });
});
