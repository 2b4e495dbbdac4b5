import { describe, expect, it } from 'vitest';
import { delay, startDeadline } from '../src/index.ts';
import { VirtualClock } from '../src/testing.ts';

describe('startDeadline', () => {
  it('aborts when time is up, and says how long that was', async () => {
    const clock = new VirtualClock();
    const { signal, expired } = startDeadline(clock, 100);
    await clock.advance(99);
    expect([signal.aborted, expired()]).toEqual([false, false]);
    await clock.advance(1);
    expect([signal.aborted, expired()]).toEqual([true, true]);
    expect(signal.reason).toEqual(new Error('no answer within 100 ms'));
  });

  it('aborts with the reason of the parent that aborts first, which is not expiry', () => {
    const clock = new VirtualClock();
    const parents = [new AbortController(), new AbortController()] as const;
    const { signal, expired } = startDeadline(clock, 100, parents[0].signal, undefined, parents[1].signal);
    const reason = new Error('stopping');
    parents[1].abort(reason);
    parents[0].abort(new Error('too late'));
    expect(signal.reason).toBe(reason);
    expect(expired()).toBe(false);
  });

  it('is aborted from the start below a parent that is', () => {
    const reason = new Error('stopped');
    expect(startDeadline(new VirtualClock(), 100, AbortSignal.abort(reason)).signal.reason).toBe(reason);
  });

  it('leaves nothing behind when it is cleared', async () => {
    const clock = new VirtualClock();
    const parent = new AbortController();
    const { signal, expired, clear } = startDeadline(clock, 100, parent.signal);
    clear();
    expect(clock.pending).toBe(0);
    await clock.advance(200);
    parent.abort();
    expect([signal.aborted, expired()]).toEqual([false, false]);
  });
});

describe('delay', () => {
  it('resolves after its time, not before', async () => {
    const clock = new VirtualClock();
    let resolved = false;
    const done = delay(clock, 100).then(() => {
      resolved = true;
    });
    await clock.advance(99);
    expect(resolved).toBe(false);
    await clock.advance(1);
    expect(resolved).toBe(true);
    await done;
  });

  it('rejects with the reason of its signal, and frees its timer', async () => {
    const clock = new VirtualClock();
    const controller = new AbortController();
    const done = delay(clock, 100, controller.signal);
    const reason = new Error('stopping');
    controller.abort(reason);
    await expect(done).rejects.toBe(reason);
    expect(clock.pending).toBe(0);
  });

  it('rejects at once under a signal that has aborted, and sets no timer', async () => {
    const clock = new VirtualClock();
    await expect(delay(clock, 100, AbortSignal.abort('not an Error'))).rejects.toEqual(new Error('aborted'));
    expect(clock.pending).toBe(0);
  });

  it('does not mind a signal that aborts afterwards', async () => {
    const clock = new VirtualClock();
    const controller = new AbortController();
    const done = delay(clock, 100, controller.signal);
    await clock.advance(100);
    controller.abort();
    await expect(done).resolves.toBeUndefined();
  });
});
