import { describe, expect, it } from 'vitest';
import { systemClock } from '../src/index.ts';

const fires = (ms: number) =>
  new Promise<string>((resolve) =>
    systemClock.after(ms, () => {
      resolve(`after ${ms}`);
    }),
  );

describe('systemClock', () => {
  it('tells the time of day between two looks at it', () => {
    const before = Date.now();
    const now = systemClock.now();
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });

  it('has a monotonic clock that has moved by the delay when a timer fires', async () => {
    const start = systemClock.monotonic();
    await fires(20);
    // Timers count whole milliseconds and may be up to one early by the finer clock.
    expect(systemClock.monotonic() - start).toBeGreaterThanOrEqual(19);
  });

  it('fires soon when the delay is none or negative', async () => {
    expect(await Promise.all([fires(0), fires(-5)])).toEqual(['after 0', 'after -5']);
  });

  it('does not fire what was cancelled', async () => {
    let fired = false;
    systemClock.after(1, () => {
      fired = true;
    })();
    await fires(10);
    expect(fired).toBe(false);
  });

  it('waits for delays that are longer than a platform timer can count, instead of firing at once', async () => {
    let fired = false;
    const cancel = systemClock.after(2 ** 40, () => {
      fired = true;
    });
    await fires(10);
    cancel();
    expect(fired).toBe(false);
  });
});
