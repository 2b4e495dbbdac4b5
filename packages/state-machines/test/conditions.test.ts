import { expect, test } from 'vitest';
import { mergeConditions, type ConditionDraft } from '../src/index.ts';

const draft = (type: string, status: ConditionDraft['status'], reason = 'Because'): ConditionDraft => ({
  type,
  status,
  reason,
  message: 'a message',
});
const at = (time: string) => ({ lastTransitionTime: time, observedGeneration: 1 });
const first = mergeConditions(undefined, [draft('Ready', 'False'), draft('Visible', 'True')], 1, 'monday');

test('new conditions come in the order of their drafts, with time and generation', () => {
  expect(first).toEqual([
    { ...draft('Ready', 'False'), ...at('monday') },
    { ...draft('Visible', 'True'), ...at('monday') },
  ]);
});

test('the time moves when the status turns, and only then', () => {
  expect(mergeConditions(first, [draft('Ready', 'False', 'Other')], 1, 'tuesday')[0]).toEqual({
    ...draft('Ready', 'False', 'Other'),
    ...at('monday'),
  });
  expect(mergeConditions(first, [draft('Ready', 'True')], 1, 'tuesday')[0]).toMatchObject(at('tuesday'));
});

test('each keeps its place, others are left alone, so that a draft less or more is no change', () => {
  const turned = mergeConditions(first, [draft('Visible', 'True'), draft('Ready', 'False')], 1, 'tuesday');
  expect(turned).toEqual(first);
  expect(mergeConditions(first, [draft('Ready', 'False')], 1, 'tuesday')).toEqual(first);
});

test('without a generation none is told', () => {
  expect(mergeConditions([], [draft('Ready', 'True')], undefined, 'monday')[0]).not.toHaveProperty(
    'observedGeneration',
  );
});

test('a message is cut where the API server would refuse it', () => {
  const long = { ...draft('Ready', 'True'), message: 'x'.repeat(40_000) };
  expect(mergeConditions([], [long], 1, 'monday')[0]?.message).toHaveLength(32_768);
});
