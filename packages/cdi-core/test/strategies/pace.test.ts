import { Pace } from '@cro/cdi-core';
import { VirtualClock } from '@cro/clock/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

/** Looks at something until it is over, as the operator does. `signAt`: what it looks like after so many milliseconds. */
async function watch(durationMs: number, signAt: (elapsedMs: number) => string = () => '', wishMs?: number) {
  const clock = new VirtualClock();
  const pace = new Pace(clock);
  for (let looks = 1; ; looks += 1) {
    if (clock.monotonic() >= durationMs) return { looks, lateMs: clock.monotonic() - durationMs };
    pace.saw('it', signAt(clock.monotonic()));
    await clock.advance(pace.waitMs('it', wishMs));
  }
}

const MINUTE = 60_000;

describe('the end of what takes its time is noticed', () => {
  test('within a second, and with one look a second, when it takes up to ten minutes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 10 * MINUTE }), async (durationMs) => {
        const { looks, lateMs } = await watch(durationMs);
        expect(lateMs).toBeLessThan(1_000);
        expect(looks).toBeLessThanOrEqual(Math.ceil(durationMs / 1_000) + 1);
      }),
      { numRuns: 20 },
    );
  });

  test('within a second however long it takes, as long as it moves', async () => {
    const { lateMs } = await watch(90 * MINUTE + 1, (elapsedMs) => String(Math.floor(elapsedMs / (9 * MINUTE))));
    expect(lateMs).toBeLessThan(1_000);
  });

  test('within half a minute when it has stood still for long, at the cost of a look each half minute', async () => {
    const day = await watch(24 * 60 * MINUTE);
    const twoDays = await watch(48 * 60 * MINUTE);
    expect(day.lateMs).toBeLessThan(30_000);
    expect(twoDays.looks - day.looks).toBeLessThanOrEqual((24 * 60 * MINUTE) / 30_000 + 1);
  });

  test('when the fabric wishes, but not later than a minute after', async () => {
    expect(await watch(60_000, undefined, 5_000)).toEqual({ looks: 13, lateMs: 0 });
    expect((await watch(1_000, undefined, 3_600_000)).lateMs).toBe(59_000);
  });
});

test('what is over is forgotten, and the oldest of too many', async () => {
  const clock = new VirtualClock();
  const pace = new Pace(clock);
  expect(pace.elapsedMs('first')).toBe(0);
  await clock.advance(5_000);
  expect(pace.elapsedMs('first')).toBe(5_000);
  pace.end('first');
  expect(pace.elapsedMs('first')).toBe(0);
  await clock.advance(1_000);
  for (let other = 0; other < 10_000; other += 1) pace.elapsedMs(`other ${other}`);
  expect(pace.elapsedMs('first')).toBe(0);
});
