import { delay } from '@cro/clock';
import { VirtualClock } from '@cro/clock/testing';
import { describe, expect, it } from 'vitest';
import { startController, type ControllerOptions, type ReconcileResult } from '../src/index.ts';
import { seeded } from './support/random.ts';

function controller(options: Partial<ControllerOptions>) {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const runs: { key: string; at: number }[] = [];
  const reconcile = options.reconcile ?? (() => Promise.resolve<ReconcileResult>({ tag: 'done' }));
  const running = startController({
    name: 'test',
    clock,
    random: seeded(1),
    concurrency: 2,
    signal: stop.signal,
    ...options,
    reconcile: (key, context) => {
      runs.push({ key, at: clock.monotonic() });
      return reconcile(key, context);
    },
  });
  return { clock, stop, runs, running };
}

describe('startController', () => {
  it('runs a key once, however often it was added before', async () => {
    const { clock, runs, running } = controller({});
    for (let at = 0; at < 5; at += 1) running.enqueue('a');
    expect(runs).toEqual([]);
    await clock.advance(0);
    expect(runs.map((run) => run.key)).toEqual(['a']);
    expect(running.idle()).toBe(true);
  });

  it('runs a key again that was added while it ran, and never twice at the same time', async () => {
    let active = 0;
    let most = 0;
    const { clock, runs, running } = controller({
      reconcile: async () => {
        active += 1;
        most = Math.max(most, active);
        await delay(clock, 100);
        active -= 1;
        return { tag: 'done' };
      },
    });
    running.enqueue('a');
    await clock.advance(50);
    running.enqueue('a');
    running.enqueue('a');
    await clock.advance(1000);
    expect(runs.map((run) => run.at)).toEqual([0, 100]);
    expect(most).toBe(1);
  });

  it('looks again after the time that a run asked for, unless another run came first', async () => {
    const { clock, runs, running } = controller({ reconcile: () => Promise.resolve({ tag: 'again', afterMs: 1000 }) });
    running.enqueue('a');
    await clock.advance(400);
    running.enqueue('a');
    await clock.advance(1000);
    expect(runs.map((run) => run.at)).toEqual([0, 400, 1400]);
  });

  it('keeps the earlier of two delays, in whichever order they come', async () => {
    const { clock, runs, running } = controller({});
    running.enqueue('a', { afterMs: 100 });
    running.enqueue('a', { afterMs: 50 });
    running.enqueue('b', { afterMs: 60 });
    running.enqueue('b', { afterMs: 100 });
    expect(running.idle()).toBe(true);
    await clock.advance(1_000);
    expect(runs).toEqual([
      { key: 'a', at: 50 },
      { key: 'b', at: 60 },
    ]);
  });

  it('backs off a key that fails or throws, and begins anew once it is done', async () => {
    let fail = true;
    const { clock, runs, running } = controller({
      random: () => 0.999_999,
      reconcile: () => (fail ? Promise.reject(new Error('no')) : Promise.resolve({ tag: 'done' })),
    });
    running.enqueue('a');
    await clock.advance(1000);
    expect(runs.map((run) => run.at)).toEqual([0, 100, 300, 700]);
    fail = false;
    await clock.advance(500);
    expect(runs.at(-1)?.at).toBe(1500);
    fail = true;
    running.enqueue('a');
    await clock.advance(150);
    expect(runs.map((run) => run.at).slice(-2)).toEqual([1500, 1600]);
  });

  it('stops after the last run', async () => {
    let stopped = false;
    const { clock, stop, runs, running } = controller({
      reconcile: async () => {
        await delay(clock, 100);
        return { tag: 'again', afterMs: 1 };
      },
    });
    running.enqueue('a');
    await clock.advance(50);
    void running.stopped.then(() => {
      stopped = true;
    });
    stop.abort();
    running.enqueue('b');
    await clock.advance(10);
    expect(stopped).toBe(false);
    await clock.advance(100);
    expect(stopped).toBe(true);
    expect(runs.map((run) => run.key)).toEqual(['a']);
    expect(clock.pending).toBe(0);
  });
});
