import { describe, expect, it } from 'vitest';
import { capacity, child, node, planFor, request } from './support/cases.ts';

describe('what is there', () => {
  it('stays on a node that is not ready, cordoned, unmapped, exhausted or taken', () => {
    const nodes = [
      node('a', undefined, {
        ready: false,
        schedulable: false,
        machine: undefined,
        freeOnFabric: 'no',
        usedBy: [{ request: 'older', policy: 'samenode', type: 'gpu', model: request().model }],
      }),
    ];
    const children = [child('gpu-1', 'a'), child('gpu-2', 'a')];
    expect(planFor(request(), children, nodes)).toEqual({
      tag: 'planned',
      keep: ['gpu-1', 'gpu-2'],
      drop: [],
      create: [],
    });
  });

  it('is not driven away by its own workload, which takes what was free; and more may be added', () => {
    const nodes = [node('a', undefined, { free: capacity(0, 0, 0, 0) }), node('b')];
    const resource = request({ size: 2, other_spec: { milli_cpu: 8000 } });
    expect(planFor(resource, [child('gpu-1', 'a')], nodes)).toEqual({
      tag: 'planned',
      keep: ['gpu-1'],
      drop: [],
      create: ['a'],
    });
  });

  it('is replaced when its node does not exist any more', () => {
    const children = [child('gpu-1', 'gone'), child('gpu-2', 'gone')];
    expect(planFor(request(), children, [node('a')])).toEqual({
      tag: 'planned',
      keep: [],
      drop: ['gpu-1', 'gpu-2'],
      create: ['a', 'a'],
    });
  });

  it('stays on the target node, and gives up what is elsewhere', () => {
    const children = [child('gpu-1', 'worker-1'), child('gpu-2', 'worker-0'), child('gpu-3', 'worker-0')];
    expect(planFor(request({ target_node: 'worker-1' }), children)).toEqual({
      tag: 'planned',
      keep: ['gpu-1'],
      drop: ['gpu-2', 'gpu-3'],
      create: ['worker-1'],
    });
  });

  it('counts when it is only planned', () => {
    const planned = child('gpu-1', 'worker-3', { created: false, state: '', hasDevice: false });
    expect(planFor(request(), [planned])).toEqual({
      tag: 'planned',
      keep: ['gpu-1'],
      drop: [],
      create: ['worker-3'],
    });
  });

  it('may go already when what replaces it has no place', () => {
    const plan = planFor(request({ model: 'new' }), [child('gpu-1', 'a')], [node('a', undefined, { ready: false })]);
    expect(plan).toMatchObject({ tag: 'unplaceable', keep: [], drop: ['gpu-1'] });
  });
});

describe('a samenode request with children on several nodes', () => {
  it('gathers where the greatest loss would be', () => {
    const attaching = { state: 'Attaching', hasDevice: false } as const;
    expect(planFor(request(), [child('gpu-1', 'worker-0', attaching), child('gpu-2', 'worker-1')])).toMatchObject({
      keep: ['gpu-2'],
      create: ['worker-1'],
    });
    const two = [child('gpu-1', 'worker-0'), child('gpu-2', 'worker-1'), child('gpu-3', 'worker-1')];
    expect(planFor(request(), two)).toMatchObject({ keep: ['gpu-2', 'gpu-3'], create: [] });
    const online = [
      child('gpu-1', 'worker-0', attaching),
      child('gpu-2', 'worker-0', attaching),
      child('gpu-3', 'worker-1'),
    ];
    expect(planFor(request(), online)).toMatchObject({ keep: ['gpu-3'], create: ['worker-1'] });
  });
});

describe('a samenode request with equals on two nodes', () => {
  it('gathers on the first node by name, however they are listed', () => {
    const children = [child('gpu-1', 'worker-1'), child('gpu-2', 'worker-0')];
    const expected = { keep: ['gpu-2'], drop: ['gpu-1'], create: ['worker-0'] };
    expect(planFor(request(), children)).toMatchObject(expected);
    expect(planFor(request(), children.toReversed())).toMatchObject(expected);
  });
});

describe('a differentnode request', () => {
  const apart = { allocation_policy: 'differentnode' } as const;

  it('keeps the child of a node that is worth most', () => {
    const children = [child('gpu-1', 'worker-0'), child('gpu-2', 'worker-0', { deleteAnnotated: true })];
    expect(planFor(request({ ...apart, size: 1 }), children)).toMatchObject({ keep: ['gpu-1'], drop: ['gpu-2'] });
  });

  it('cannot have a target node; what it has stays', () => {
    const resource = request({ ...apart, target_node: 'worker-0' });
    expect(planFor(resource, [child('gpu-1', 'worker-5')])).toEqual({
      tag: 'unplaceable',
      reason: 'TargetNodeUnfit',
      message: 'target_node worker-0 cannot be combined with allocation_policy differentnode: remove one of them',
      keep: ['gpu-1'],
      drop: [],
    });
  });
});
