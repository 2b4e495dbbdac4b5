import { describe, expect, test } from 'vitest';
import { atMost, exactly, Figures, verdictOf } from '../src/figure.ts';
import { percentile } from '../src/percentile.ts';
import { table } from '../src/table.ts';

describe('a figure', () => {
  const [fast, slow, right, wrong, free] = new Figures('work')
    .add('fast', 100, 'ms', atMost(100))
    .add('slow', 100.5, 'ms', atMost(100))
    .add('right', 0, 'count', exactly(0))
    .add('wrong', 1, 'count', exactly(0))
    .add('free', 7, 'ratio').all;

  test.each([
    [fast, 'MET'],
    [slow, 'MISSED'],
    [right, 'MET'],
    [wrong, 'MISSED'],
    [free, 'none'],
  ])('%o is %s', (figure, verdict) => {
    expect(figure && verdictOf(figure)).toBe(verdict);
  });

  test('stands in the table beside its goal, under its work', () => {
    const lines = table([fast, free].filter((figure) => figure !== undefined)).split('\n');
    expect(lines[0]).toBe('work');
    expect(lines[1]).toMatch(/^ {2}fast +100 ms +goal: at most 100 ms +MET$/);
    expect(lines[2]).toMatch(/^ {2}free +7\.00$/);
  });
});

describe('a percentile', () => {
  test('is one of the values, by nearest rank', () => {
    const values = [5, 1, 4, 2, 3];
    expect(percentile(values, 50)).toBe(3);
    expect(percentile(values, 99)).toBe(5);
    expect(percentile(values, 0)).toBe(1);
    expect(percentile([7], 99)).toBe(7);
  });

  test('of nothing is no number', () => {
    expect(percentile([], 50)).toBeNaN();
  });
});
