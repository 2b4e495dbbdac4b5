import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judge, type RuledRequest } from '../src/index.ts';
import { request } from './support/requests.ts';

const allowed = { tag: 'allowed' };
const clashWith = (name: string) => ({
  tag: 'denied',
  reason: `composabilityRequest resource ${name} with type gpu and model NVIDIA-A100-PCIE-80GB already exists`,
});
const targetRefused = {
  tag: 'denied',
  reason: `TargetNode cannot be specified when AllocationPolicy is set to 'differentnode'`,
};

// What the Go operator's tests assert, one after the other, but for its refusal of two requests without a node.
describe('the Go operator’s cases', () => {
  const r1 = request('r1', { target_node: 'worker-1' });
  const r4 = request('r4', { allocation_policy: 'differentnode' });
  const r6 = request('r6', {}, ['worker-0']);

  test.each([
    ['a first request', r1, [], allowed],
    ['no target, none placed', request('r6'), [r1], allowed],
    ['differentnode beside samenode', r4, [r1, r6], allowed],
    [
      'the node on which another has its devices',
      request('r2', { target_node: 'worker-0' }),
      [r1, r6, r4],
      clashWith('r6'),
    ],
    ['a node of its own', request('r2', { target_node: 'worker-7' }), [r1, r6, r4], allowed],
    [
      'differentnode with a target',
      request('r3', { allocation_policy: 'differentnode', target_node: 'worker-5' }),
      [],
      targetRefused,
    ],
    ['a second differentnode', request('r5', { allocation_policy: 'differentnode' }), [r1, r6, r4], clashWith('r4')],
    ['differentnode, other model', request('r5', { allocation_policy: 'differentnode', model: 'H100' }), [r4], allowed],
    ['the same target, other model', request('r2', { target_node: 'worker-1', model: 'H100' }), [r1], allowed],
    ['the same target, other type', request('r2', { target_node: 'worker-1', type: 'cxlmemory' }), [r1], allowed],
    ['an update of itself', request('r1', { target_node: 'worker-1', size: 3 }), [r1], allowed],
  ])('%s', (_name, candidate, existing, verdict) => {
    expect(judge(candidate, existing)).toEqual(verdict);
  });
});

test('two requests without a target get different nodes: they do not conflict', () => {
  expect(judge(request('a'), [request('b')])).toEqual(allowed);
  expect(judge(request('a', {}, ['worker-0']), [request('b', {}, ['worker-0'])])).toEqual(allowed);
});

test('every node of the other counts, not the first', () => {
  const spread = request('spread', { allocation_policy: 'differentnode' }, ['worker-1', 'worker-2']);
  for (const node of ['worker-1', 'worker-2']) {
    expect(judge(request('a', { target_node: node }), [spread])).toEqual(clashWith('spread'));
  }
  expect(judge(request('a', { target_node: 'worker-3' }), [spread])).toEqual(allowed);
});

test('a request that has devices on a node clashes with one that targets it, seen from either side', () => {
  const placed = request('placed', {}, ['worker-0']);
  const aimed = request('aimed', { target_node: 'worker-0' });
  expect(judge(placed, [aimed])).toEqual(clashWith('aimed'));
  expect(judge(aimed, [placed])).toEqual(clashWith('placed'));
});

test('an empty target is none, a missing policy is samenode', () => {
  expect(judge(request('a', { allocation_policy: 'differentnode', target_node: '' }), [])).toEqual(allowed);
  const resource = { type: 'gpu', model: 'NVIDIA-A100-PCIE-80GB', size: 1, target_node: 'worker-0' } as const;
  expect(judge({ metadata: {}, spec: { resource } }, [request('c', {}, ['worker-0'])])).toEqual(clashWith('c'));
});

describe('laws', () => {
  const node = fc.constantFrom('worker-0', 'worker-1', 'worker-2');
  const anyRequest = (name: string): fc.Arbitrary<RuledRequest> =>
    fc
      .record({
        policy: fc.constantFrom('samenode' as const, 'differentnode' as const),
        target: fc.option(node, { nil: undefined }),
        model: fc.constantFrom('A100', 'H100'),
        nodes: fc.uniqueArray(node),
      })
      .map(({ policy, target, model, nodes }) =>
        request(
          name,
          { allocation_policy: policy, model, ...(target !== undefined && { target_node: target }) },
          nodes,
        ),
      );
  const hasForbiddenTarget = ({ spec }: RuledRequest) =>
    spec.resource.allocation_policy === 'differentnode' && spec.resource.target_node !== undefined;

  test('among requests of one policy, who came first does not matter', () => {
    fc.assert(
      fc.property(anyRequest('a'), anyRequest('b'), (a, b) => {
        fc.pre(a.spec.resource.allocation_policy === b.spec.resource.allocation_policy);
        fc.pre(!hasForbiddenTarget(a) && !hasForbiddenTarget(b));
        expect(judge(a, [b]).tag).toBe(judge(b, [a]).tag);
      }),
    );
  });

  test('the order of existing requests does not change the verdict, and more of them never allow more', () => {
    const others = fc.tuple(anyRequest('b'), anyRequest('c'), anyRequest('d'));
    fc.assert(
      fc.property(anyRequest('a'), others, (a, existing) => {
        const all = judge(a, existing).tag;
        expect(judge(a, existing.toReversed()).tag).toBe(all);
        const one = existing.some((other) => judge(a, [other]).tag === 'denied');
        expect(all === 'denied').toBe(one);
      }),
    );
  });
});
