import { delay } from '@cro/clock';
import { VirtualClock } from '@cro/clock/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startController } from '../src/index.ts';
import { ReadyKeys } from '../src/controller/ready-keys.ts';
import { seeded } from './support/random.ts';

const key = fc.constantFrom('a', 'b', 'c', 'd');
const priority = fc.constantFrom('normal' as const, 'low' as const);

const step = fc.record({
  key,
  afterMs: fc.constantFrom(0, 0, 5, 50),
  priority,
  /** Time that passes before the next step. */
  passMs: fc.constantFrom(0, 0, 1, 7, 40),
});

/** What each run in turn does: how long it takes, and how it ends. */
const behaviour = fc.record({
  takesMs: fc.constantFrom(0, 3, 20),
  end: fc.constantFrom('done', 'again', 'failed', 'throw'),
});

describe('startController, whatever is added when', () => {
  it('never runs a key twice at a time, keeps to its concurrency, and loses nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40, size: 'max' }),
        fc.array(behaviour, { minLength: 1, maxLength: 20, size: 'max' }),
        fc.integer({ min: 1, max: 3 }),
        async (steps, behaviours, concurrency) => {
          const clock = new VirtualClock();
          const stop = new AbortController();
          const running = new Set<string>();
          /** When the last run of each key began. */
          const began = new Map<string, number>();
          let turn = 0;
          const controller = startController({
            name: 'test',
            clock,
            random: seeded(3),
            concurrency,
            signal: stop.signal,
            reconcile: async (name) => {
              expect(running.has(name)).toBe(false);
              running.add(name);
              expect(running.size).toBeLessThanOrEqual(concurrency);
              began.set(name, clock.monotonic());
              // Faults stop in the end.
              const { takesMs, end } = behaviours[turn] ?? { takesMs: 0, end: 'done' };
              turn += 1;
              await delay(clock, takesMs);
              running.delete(name);
              if (end === 'throw') throw new Error('thrown');
              if (end === 'failed') return { tag: 'failed', message: 'failed' };
              return end === 'again' ? { tag: 'again', afterMs: 10 } : { tag: 'done' };
            },
          });
          for (const { key: name, passMs, ...options } of steps) {
            controller.enqueue(name, options);
            await clock.advance(passMs);
          }
          await clock.advance(3_600_000);
          expect(controller.idle()).toBe(true);
          // Of two delays the earlier stays, so a run may come before the later one; never is there none at all.
          const asked = steps.filter((one) => one.afterMs === 0).map((one) => one.key);
          for (const name of new Set(steps.map((one) => one.key))) expect(began.has(name)).toBe(true);
          for (const name of asked) expect(began.get(name)).toBeGreaterThanOrEqual(lastAsked(steps, name));
          stop.abort();
          await controller.stopped;
          expect(clock.pending).toBe(0);
        },
      ),
      { numRuns: 120 },
    );
  });

  it('takes up a key that was added after its run had begun', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 40 }), async (takesMs, addAt) => {
        const clock = new VirtualClock();
        const seen: number[] = [];
        let value = 0;
        const controller = startController({
          name: 'test',
          clock,
          random: seeded(1),
          concurrency: 1,
          signal: new AbortController().signal,
          reconcile: async () => {
            seen.push(value);
            await delay(clock, takesMs);
            return { tag: 'done' };
          },
        });
        controller.enqueue('a');
        await clock.advance(addAt);
        value = 1;
        controller.enqueue('a');
        await clock.advance(100);
        expect(seen).toEqual([0, 1]);
      }),
    );
  });
});

/** When a key was last asked for without a delay. */
function lastAsked(steps: readonly { key: string; afterMs: number; passMs: number }[], name: string): number {
  let at = 0;
  let last = 0;
  for (const one of steps) {
    if (one.key === name && one.afterMs === 0) last = at;
    at += one.passMs;
  }
  return last;
}

describe('ReadyKeys', () => {
  it('gives each key once, in order, urgent ones first, and starves none', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ name: fc.integer().map(String), priority }), { maxLength: 60, size: 'max' }),
        (adds) => {
          const keys = new ReadyKeys();
          const normal = new Set<string>();
          const low = new Set<string>();
          for (const { name, priority: asked } of adds) {
            const isNew = !normal.has(name) && !low.has(name);
            expect(keys.add(name, asked, 0)).toBe(isNew);
            if (asked === 'normal') {
              normal.add(name);
              low.delete(name);
            } else if (isNew) low.add(name);
          }
          expect(keys.size).toBe(normal.size + low.size);
          const taken: string[] = [];
          for (let next = keys.take(); next !== undefined; next = keys.take()) taken.push(next.key);
          expect(taken.filter((name) => normal.has(name))).toEqual([...normal]);
          expect(taken.filter((name) => low.has(name))).toEqual([...low]);
          // At most four normal keys go before a low one.
          [...low].forEach((name, place) => {
            expect(taken.indexOf(name)).toBeLessThanOrEqual(place * 5 + 4);
          });
        },
      ),
    );
  });

  it('takes an urgent key before one that can wait', () => {
    const keys = new ReadyKeys();
    keys.add('low', 'low', 1);
    keys.add('normal', 'normal', 2);
    expect(keys.take()).toEqual({ key: 'normal', since: 2 });
    expect(keys.take()).toEqual({ key: 'low', since: 1 });
  });
});
