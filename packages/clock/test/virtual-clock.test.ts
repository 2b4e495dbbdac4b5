import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { delay } from '../src/index.ts';
import { VirtualClock } from '../src/testing.ts';

describe('VirtualClock', () => {
  it('stands still until it is moved', async () => {
    const clock = new VirtualClock(1000);
    expect([clock.now(), clock.monotonic()]).toEqual([1000, 0]);
    await clock.advance(250);
    expect([clock.now(), clock.monotonic()]).toEqual([1250, 250]);
  });

  it('fires timers by their time, then in the order in which they were set, each at its moment', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -5, max: 50 })), async (delays) => {
        const clock = new VirtualClock();
        const fired: (readonly [number, number])[] = [];
        delays.forEach((ms, index) => {
          clock.after(ms, () => {
            fired.push([clock.monotonic(), index]);
          });
        });
        await clock.advance(50);
        const due = delays.map((ms, index) => [Math.max(0, ms), index] as const);
        expect(fired).toEqual(due.sort(([a, i], [b, j]) => a - b || i - j));
        expect(clock.pending).toBe(0);
      }),
    );
  });

  it('fires what is due at the very end of an advance, and nothing later', async () => {
    const clock = new VirtualClock();
    const fired: string[] = [];
    clock.after(10, () => fired.push('at the end'));
    clock.after(11, () => fired.push('later'));
    await clock.advance(10);
    expect(fired).toEqual(['at the end']);
    expect(clock.pending).toBe(1);
  });

  it('fires timers that timers set, within the same advance', async () => {
    const clock = new VirtualClock();
    const fired: number[] = [];
    const again = () => {
      fired.push(clock.monotonic());
      clock.after(10, again);
    };
    clock.after(10, again);
    await clock.advance(35);
    expect(fired).toEqual([10, 20, 30]);
  });

  it('lets promises settle between two timers', async () => {
    const clock = new VirtualClock();
    const events: string[] = [];
    const work = async () => {
      await delay(clock, 10);
      events.push('woken');
      await Promise.resolve();
      await Promise.resolve();
      events.push('settled');
    };
    const done = work();
    clock.after(10, () => events.push('next timer'));
    await clock.advance(10);
    await done;
    expect(events).toEqual(['woken', 'settled', 'next timer']);
  });

  it('does not fire what was cancelled, and cancelling twice is harmless', async () => {
    const clock = new VirtualClock();
    let fired = 0;
    const cancel = clock.after(10, () => (fired += 1));
    cancel();
    cancel();
    expect(clock.pending).toBe(0);
    await clock.advance(20);
    expect(fired).toBe(0);
  });

  it('keeps its timers over several advances', async () => {
    const clock = new VirtualClock();
    const seen: number[] = [];
    clock.after(5, () => seen.push(clock.monotonic()));
    clock.after(3, () => seen.push(clock.monotonic()));
    await clock.advance(4);
    await clock.advance(4);
    expect(seen).toEqual([3, 5]);
    expect(clock.monotonic()).toBe(8);
  });
});

describe('runUntil', () => {
  it('moves from timer to timer until the condition holds, and no further', async () => {
    const clock = new VirtualClock();
    let count = 0;
    const tick = () => {
      count += 1;
      clock.after(10, tick);
    };
    clock.after(10, tick);
    expect(await clock.runUntil(() => count === 3, 1000)).toBe(true);
    expect(clock.monotonic()).toBe(30);
  });

  it('holds at once when there is nothing to wait for', async () => {
    const clock = new VirtualClock();
    clock.after(10, () => undefined);
    expect(await clock.runUntil(() => true, 0)).toBe(true);
    expect(clock.monotonic()).toBe(0);
  });

  it('gives up at the limit, and when nothing is left that could happen', async () => {
    const clock = new VirtualClock();
    clock.after(11, () => undefined);
    expect(await clock.runUntil(() => false, 10)).toBe(false);
    expect(clock.pending).toBe(1);
    expect(await clock.runUntil(() => false, 1000)).toBe(false);
    expect(clock.pending).toBe(0);
  });
});
