import type { NodeRequirements, ScalarResourceDetails } from '@cro/crd-types';
import { describe, expect, it } from 'vitest';
import type { Child } from '../src/index.ts';
import { child, GI, node, NODES, planFor, request } from './support/cases.ts';

const LARGE: NodeRequirements = {
  milli_cpu: 32_000,
  memory: 64 * GI,
  ephemeral_storage: 2048 * GI,
  allowed_pod_number: 100,
};
const SMALL: NodeRequirements = {
  milli_cpu: 8000,
  memory: 16 * GI,
  ephemeral_storage: 512 * GI,
  allowed_pod_number: 100,
};
const NOBODY: NodeRequirements = { milli_cpu: 64_000 };

type Change = Partial<ScalarResourceDetails>;

describe('a new request', () => {
  it.each<[string, Change, string[]]>([
    ['samenode', {}, ['worker-0', 'worker-0']],
    ['samenode, large', { other_spec: LARGE }, ['worker-6', 'worker-6']],
    ['samenode on a target', { target_node: 'worker-0' }, ['worker-0', 'worker-0']],
    ['samenode on a target, small', { target_node: 'worker-0', other_spec: SMALL }, ['worker-0', 'worker-0']],
    ['samenode with an empty target', { target_node: '' }, ['worker-0', 'worker-0']],
    ['differentnode', { allocation_policy: 'differentnode' }, ['worker-0', 'worker-1']],
    ['differentnode, small', { allocation_policy: 'differentnode', other_spec: SMALL }, ['worker-0', 'worker-5']],
    ['differentnode, none wanted', { allocation_policy: 'differentnode', size: 0 }, []],
    ['none wanted on a target that is missing', { target_node: 'gone', size: 0 }, []],
  ])('%s', (_name, change, nodes) => {
    expect(planFor(request(change))).toEqual({ tag: 'planned', keep: [], drop: [], create: nodes });
  });

  it.each<[string, Change, string, string]>([
    [
      'samenode, too large',
      { other_spec: NOBODY },
      'InsufficientNodes',
      'insufficient number of available nodes: 1 needed, 0 of 8 usable (less than 64000 milli_cpu free: 8)',
    ],
    [
      'differentnode, too large',
      { allocation_policy: 'differentnode', other_spec: NOBODY },
      'InsufficientNodes',
      'insufficient number of available nodes: 2 needed, 0 of 8 usable (less than 64000 milli_cpu free: 8)',
    ],
    [
      'samenode on a target, too large',
      { target_node: 'worker-0', other_spec: NOBODY },
      'TargetNodeUnfit',
      "TargetNode does not meet spec's requirements: node worker-0: less than 64000 milli_cpu free",
    ],
    ['samenode on an unknown target', { target_node: 'gone' }, 'TargetNodeMissing', 'target node gone not found'],
  ])('%s', (_name, change, reason, message) => {
    expect(planFor(request(change))).toEqual({ tag: 'unplaceable', reason, message, keep: [], drop: [] });
  });

  it('goes around the nodes of other samenode requests for the same kind of device', () => {
    const use = { request: 'other', policy: 'samenode', type: 'gpu', model: request().model } as const;
    const nodes = NODES.map((each) =>
      ['worker-0', 'worker-1'].includes(each.name) ? { ...each, usedBy: [use] } : each,
    );
    expect(planFor(request(), [], nodes)).toMatchObject({ create: ['worker-2', 'worker-2'] });
  });
});

const together = [child('gpu-1', 'worker-0'), child('gpu-2', 'worker-0')];
const apart = [child('gpu-1', 'worker-0'), child('gpu-2', 'worker-1')];
const differentnode = { allocation_policy: 'differentnode' } as const;

describe('a changed request', () => {
  it.each<[string, readonly Child[], Change, string[]]>([
    ['type, samenode', together, { type: 'cxlmemory' }, ['worker-0', 'worker-0']],
    ['type, differentnode', apart, { ...differentnode, type: 'cxlmemory' }, ['worker-0', 'worker-1']],
    ['model, samenode', together, { model: 'other' }, ['worker-0', 'worker-0']],
    ['model, differentnode', apart, { ...differentnode, model: 'other' }, ['worker-0', 'worker-1']],
    ['force_detach, samenode', together, { force_detach: true }, ['worker-0', 'worker-0']],
    ['force_detach, differentnode', apart, { ...differentnode, force_detach: true }, ['worker-0', 'worker-1']],
    ['other_spec, samenode', together, { other_spec: LARGE }, ['worker-6', 'worker-6']],
    ['other_spec, differentnode', apart, { ...differentnode, other_spec: LARGE }, ['worker-6', 'worker-7']],
    ['target_node, samenode', together, { target_node: 'worker-1' }, ['worker-1', 'worker-1']],
  ])('replaces both: %s', (_name, children, change, create) => {
    expect(planFor(request(change), children)).toEqual({
      tag: 'planned',
      keep: [],
      drop: ['gpu-1', 'gpu-2'],
      create,
    });
  });

  it.each<[string, readonly Child[], Change, string[], string[]]>([
    ['samenode grows', together, { size: 3 }, ['gpu-1', 'gpu-2'], ['worker-0']],
    ['differentnode grows', apart, { ...differentnode, size: 3 }, ['gpu-1', 'gpu-2'], ['worker-2']],
    ['differentnode shrinks', apart, { ...differentnode, size: 1 }, ['gpu-2'], []],
    ['differentnode shrinks to none', apart, { ...differentnode, size: 0 }, [], []],
    ['samenode to differentnode', together, differentnode, ['gpu-2'], ['worker-1']],
    ['differentnode to samenode', apart, {}, ['gpu-1'], ['worker-0']],
  ])('keeps what it can: %s', (_name, children, change, keep, create) => {
    const drop = children.map(({ name }) => name).filter((name) => !keep.includes(name));
    expect(planFor(request(change), children)).toEqual({ tag: 'planned', keep, drop, create });
  });
});

describe('units', () => {
  it('takes milli_cpu for thousandths of a core', () => {
    const nodes = [node('small', { milliCpu: 1500, memory: 1, ephemeralStorage: 1, pods: 1 })];
    expect(planFor(request({ other_spec: { milli_cpu: 1500 } }), [], nodes).tag).toBe('planned');
    expect(planFor(request({ other_spec: { milli_cpu: 1501 } }), [], nodes).tag).toBe('unplaceable');
  });

  it('compares each requirement with what is free, not with what the node has in all', () => {
    const free = { milliCpu: 10, memory: 20, ephemeralStorage: 30, pods: 40 };
    const nodes = [node('busy', undefined, { free })];
    const fits = (other_spec: NodeRequirements) => planFor(request({ other_spec }), [], nodes).tag === 'planned';
    expect([10, 11].map((milli_cpu) => fits({ milli_cpu }))).toEqual([true, false]);
    expect([20, 21].map((memory) => fits({ memory }))).toEqual([true, false]);
    expect([30, 31].map((ephemeral_storage) => fits({ ephemeral_storage }))).toEqual([true, false]);
    expect([40, 41].map((allowed_pod_number) => fits({ allowed_pod_number }))).toEqual([true, false]);
  });
});
