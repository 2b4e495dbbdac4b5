import { expect, test } from 'vitest';
import { backoffMs } from '../../src/json/backoff.ts';
import { retryAfterMs } from '../../src/json/retry-after.ts';

const now = Date.UTC(2026, 0, 1);

test.each([
  [undefined, undefined],
  ['3', 3_000],
  [' 0 ', 0],
  ['Thu, 01 Jan 2026 00:00:10 GMT', 10_000],
  ['Wed, 31 Dec 2025 00:00:10 GMT', 0],
  ['soon', undefined],
  ['-5', 0],
  ['999999999', 3_600_000],
])('Retry-After %s is %s ms', (header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected);
});

test('backoff doubles up to its limit, and random numbers move it between half and all', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map((attempt) => backoffMs(attempt, () => 1))).toEqual([
    200, 400, 800, 1600, 3200, 5000, 5000,
  ]);
  expect(backoffMs(3, () => 0)).toBe(400);
});
