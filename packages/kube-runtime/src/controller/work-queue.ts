import type { Clock } from '@cro/clock';
import { backoffMs } from '../backoff.ts';
import { ReadyKeys, type Priority } from './ready-keys.ts';
import { Timers } from './timers.ts';

/** How a run of a key ended, for the queue. */
export type RunEnd =
  { readonly tag: 'done' } | { readonly tag: 'again'; readonly afterMs: number } | { readonly tag: 'failed' };

/** What a queue needs. */
export interface WorkQueueOptions {
  readonly clock: Clock;
  /** A number in [0, 1), for jitter. */
  readonly random: () => number;
  /** A key may be ready. Called from within `add` and from timers. */
  readonly onReady: () => void;
  /** A key was added that was not waiting yet. */
  readonly onAdded?: () => void;
  /** A key will run again because its run failed. */
  readonly onRetry?: () => void;
}

/** The backoff of a failed key: 0.1 s, doubling to five minutes. */
const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 300_000;

/**
 * The keys to reconcile. Each is there once, however often it is added; none runs twice at the same time; one that is
 * added while it runs, runs again.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  readonly #ready = new ReadyKeys();
  readonly #running = new Map<string, number>();
  /** Keys that were added while they run. */
  readonly #again = new Map<string, Priority>();
  readonly #failures = new Map<string, number>();
  /** Delays asked for from outside. */
  readonly #delayed: Timers;
  readonly #delayedPriority = new Map<string, Priority>();
  /** What the last run of a key asked for: the next run decides anew. */
  readonly #followUps: Timers;

  constructor(options: WorkQueueOptions) {
    this.#options = options;
    this.#delayed = new Timers(options.clock, (key) => {
      const priority = this.#delayedPriority.get(key) ?? 'normal';
      this.#delayedPriority.delete(key);
      this.add(key, priority);
    });
    this.#followUps = new Timers(options.clock, (key) => {
      this.add(key);
    });
  }

  /** Keys that are ready and wait for a worker. */
  get depth(): number {
    return this.#ready.size;
  }

  /** When each running key began, in monotonic milliseconds. */
  get running(): ReadonlyMap<string, number> {
    return this.#running;
  }

  /** True when nothing is ready and nothing runs. Keys that wait for a time do not count. */
  get idle(): boolean {
    return this.#ready.size === 0 && this.#running.size === 0;
  }

  add(key: string, priority: Priority = 'normal'): void {
    if (this.#running.has(key)) {
      if (this.#again.get(key) !== 'normal') this.#again.set(key, priority);
      return;
    }
    if (this.#ready.add(key, priority, this.#options.clock.monotonic())) this.#options.onAdded?.();
    this.#options.onReady();
  }

  /** Adds a key after a time. Of two delays of one key the earlier stays, and the more urgent priority. */
  addAfter(key: string, afterMs: number, priority: Priority = 'normal'): void {
    if (this.#delayedPriority.get(key) !== 'normal') this.#delayedPriority.set(key, priority);
    this.#delayed.set(key, afterMs);
  }

  /** Takes the next key to run. The caller has to `finish` it. */
  take(): { readonly key: string; readonly since: number } | undefined {
    const next = this.#ready.take();
    if (next === undefined) return undefined;
    this.#followUps.clear(next.key);
    this.#running.set(next.key, this.#options.clock.monotonic());
    return next;
  }

  /** A run ended. A key that was added in the meantime is ready at once, failed or not: what came may be the cure. */
  finish(key: string, end: RunEnd): void {
    this.#running.delete(key);
    if (end.tag === 'failed') this.#retry(key);
    else this.#failures.delete(key);
    if (end.tag === 'again') this.#followUps.set(key, end.afterMs);
    const priority = this.#again.get(key);
    this.#again.delete(key);
    if (priority !== undefined) this.add(key, priority);
  }

  /** Forgets every time that keys wait for. */
  stop(): void {
    this.#delayed.clearAll();
    this.#followUps.clearAll();
  }

  #retry(key: string): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.#options.onRetry?.();
    this.#followUps.set(key, backoffMs(failures, this.#options.random(), FIRST_RETRY_MS, LONGEST_RETRY_MS));
  }
}
