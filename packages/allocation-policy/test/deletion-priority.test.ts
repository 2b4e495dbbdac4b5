import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deletionClass, deletionOrder, type Child } from '../src/index.ts';
import { anyChild } from './support/arbitraries.ts';
import { child, planFor, request } from './support/cases.ts';

const at = (time: string) => Date.parse(`2026-01-01T${time}:00Z`);
const CREATED = at('11:00');

describe('deletionClass', () => {
  it.each<[string, Partial<Child>]>([
    ['planned', { created: false, state: '', hasDevice: false }],
    ['planned', { created: false, state: 'Online' }],
    ['deviceless', { state: '', hasDevice: false }],
    ['deviceless', { state: 'Attaching', hasDevice: false, deleteAnnotated: true }],
    ['annotated', { state: 'Online', deleteAnnotated: true }],
    ['attaching', { state: 'Attaching', deleteAnnotated: true }],
    ['online', { state: 'Online', failing: true }],
    ['other', { state: 'Detaching' }],
    ['other', { state: 'Deleting' }],
  ])('%s: %o', (expected, more) => {
    expect(deletionClass(child('gpu-1', 'worker-0', more))).toBe(expected);
  });
});

describe('deletionOrder', () => {
  const names = (children: readonly Child[]) => deletionOrder(children).map(({ name }) => name);

  it('goes by class, whatever was used when', () => {
    const children = [
      child('other', 'n', { state: 'Detaching', lastUsedMs: 0 }),
      child('online', 'n', { lastUsedMs: 1 }),
      child('attaching', 'n', { state: 'Attaching', lastUsedMs: 2 }),
      child('annotated', 'n', { deleteAnnotated: true, lastUsedMs: 3 }),
      child('deviceless', 'n', { state: 'Attaching', hasDevice: false, lastUsedMs: 4 }),
      child('planned', 'n', { created: false, lastUsedMs: 5 }),
    ];
    expect(names(children)).toEqual(['planned', 'deviceless', 'annotated', 'attaching', 'online', 'other']);
  });

  it('takes the one that was used the longest time ago, then the failing one, then the first name', () => {
    const children = [
      child('d', 'n', { lastUsedMs: 2 }),
      child('c', 'n', { lastUsedMs: 1 }),
      child('b', 'n', { lastUsedMs: 1 }),
      child('e', 'n', { lastUsedMs: 1, failing: true }),
      child('a', 'n', { lastUsedMs: 3 }),
    ];
    expect(names(children)).toEqual(['e', 'b', 'c', 'd', 'a']);
  });

  it('counts a time that is not a number as the oldest', () => {
    const children = [child('a', 'n', { lastUsedMs: 1 }), child('b', 'n', { lastUsedMs: Number.NaN })];
    expect(names(children)).toEqual(['b', 'a']);
  });

  it('is an order: it does not depend on how the children are listed', () => {
    fc.assert(
      fc.property(
        fc
          .uniqueArray(anyChild, { selector: ({ name }) => name })
          .chain((children) =>
            fc.tuple(fc.constant(children), fc.shuffledSubarray(children, { minLength: children.length })),
          ),
        ([children, shuffled]) => {
          expect(names(shuffled)).toEqual(names(children));
        },
      ),
    );
  });
});

describe('a request that shrinks', () => {
  // The children of the Go operator's test. It keeps gpu-0, which has no device, because it never recognises the empty
  // state; here the one that is Online and not annotated stays.
  const children = [
    child('gpu-0', 'worker-0', { state: '', hasDevice: false, deleteAnnotated: true, lastUsedMs: at('12:30') }),
    child('gpu-1', 'worker-0', { state: '', hasDevice: false, deleteAnnotated: true, lastUsedMs: at('10:30') }),
    child('gpu-2', 'worker-0', { deleteAnnotated: true, lastUsedMs: CREATED }),
    child('gpu-3', 'worker-0', { state: 'Attaching', hasDevice: false, lastUsedMs: CREATED }),
    child('gpu-4', 'worker-0', { state: 'Attaching', lastUsedMs: CREATED }),
    child('gpu-5', 'worker-0', { lastUsedMs: CREATED }),
    child('gpu-6', 'worker-0', {
      state: '',
      hasDevice: false,
      failing: true,
      deleteAnnotated: true,
      lastUsedMs: at('10:30'),
    }),
  ];

  it.each([
    [7, []],
    [6, ['gpu-6']],
    [5, ['gpu-1', 'gpu-6']],
    [4, ['gpu-1', 'gpu-3', 'gpu-6']],
    [3, ['gpu-0', 'gpu-1', 'gpu-3', 'gpu-6']],
    [2, ['gpu-0', 'gpu-1', 'gpu-2', 'gpu-3', 'gpu-6']],
    [1, ['gpu-0', 'gpu-1', 'gpu-2', 'gpu-3', 'gpu-4', 'gpu-6']],
    [0, ['gpu-0', 'gpu-1', 'gpu-2', 'gpu-3', 'gpu-4', 'gpu-5', 'gpu-6']],
  ])('to %i', (size, drop) => {
    expect(planFor(request({ size }), children)).toMatchObject({ tag: 'planned', drop, create: [] });
  });

  it('lets what does not match go first, and does not count it', () => {
    const mixed = [
      child('gpu-1', 'worker-0', { model: 'other', lastUsedMs: at('23:00') }),
      child('gpu-2', 'worker-0', { lastUsedMs: at('10:00') }),
      child('gpu-3', 'worker-0', { lastUsedMs: at('11:00') }),
    ];
    expect(planFor(request({ size: 1 }), mixed)).toMatchObject({ keep: ['gpu-3'], drop: ['gpu-1', 'gpu-2'] });
    expect(planFor(request({ size: 1 }), mixed.slice(0, 2))).toMatchObject({ keep: ['gpu-2'], create: [] });
    expect(planFor(request({ size: 1 }), mixed.slice(0, 2).reverse())).toMatchObject({ keep: ['gpu-2'], create: [] });
  });
});
