import fc from 'fast-check';
import { expect, test } from 'vitest';
import { covered } from '../src/world/intervals.ts';

test('work that overlaps counts once, and only within the time asked for', () => {
  const work = [
    { from: 0, to: 10 },
    { from: 5, to: 15 },
    { from: 30, to: 40 },
    { from: 100, to: 200 },
  ];
  expect(covered(work, { from: 2, to: 35 })).toBe(18);
  expect(covered([], { from: 0, to: 9 })).toBe(0);
});

test('counts each moment as looking at every one would', () => {
  const interval = fc.tuple(fc.nat(30), fc.nat(30)).map(([from, length]) => ({ from, to: from + length }));
  fc.assert(
    fc.property(fc.array(interval), interval, (work, within) => {
      const moments = Array.from({ length: within.to - within.from }, (_, i) => within.from + i);
      const busy = moments.filter((at) => work.some(({ from, to }) => from <= at && at < to));
      expect(covered(work, within)).toBe(busy.length);
    }),
  );
});
