import { VirtualClock } from '@cro/clock/testing';
import { describe, expect, test } from 'vitest';
import { until, type Wait } from '../src/world/until.ts';

function changing(first: number) {
  const listeners = new Set<() => void>();
  let value = first;
  return {
    set(next: number) {
      value = next;
      for (const listener of [...listeners]) listener();
    },
    listeners,
    wait(clock: VirtualClock, signal: AbortSignal): Wait<number> {
      return {
        clock,
        what: 'it is big',
        on: [
          (listener) => {
            listeners.add(listener);
            return () => listeners.delete(listener);
          },
        ],
        value: () => (value > 2 ? value : undefined),
        standing: () => `it is ${value}`,
        withinMs: 5000,
        signal,
      };
    },
  };
}

describe('until', () => {
  const never = new AbortController().signal;

  test('looks at once', async () => {
    const thing = changing(3);
    await expect(until(thing.wait(new VirtualClock(), never))).resolves.toBe(3);
    expect(thing.listeners.size).toBe(0);
  });

  test('looks after each change, and leaves nothing behind', async () => {
    const clock = new VirtualClock();
    const thing = changing(0);
    const result = until(thing.wait(clock, never));
    thing.set(1);
    thing.set(7);
    await expect(result).resolves.toBe(7);
    expect(thing.listeners.size).toBe(0);
    expect(clock.pending).toBe(0);
  });

  test('tells how it stands when time is up', async () => {
    const clock = new VirtualClock();
    const thing = changing(1);
    const result = until(thing.wait(clock, never));
    const rejected = expect(result).rejects.toThrow('not within 5 s: it is big (it is 1)');
    await clock.advance(5000);
    await rejected;
    expect(thing.listeners.size).toBe(0);
  });

  test('ends with the reason of its signal', async () => {
    const stop = new AbortController();
    const result = until(changing(1).wait(new VirtualClock(), stop.signal));
    stop.abort(new Error('the operator ended'));
    await expect(result).rejects.toThrow('the operator ended');
    await expect(until(changing(3).wait(new VirtualClock(), stop.signal))).rejects.toThrow('the operator ended');
  });
});
