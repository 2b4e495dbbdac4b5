import { delay, type Clock } from '@cro/clock';
import { messageOf } from '../json.ts';
import { silentLog, type Log } from '../log.ts';
import type { RuntimeMetrics } from '../metrics/runtime-metrics.ts';
import type { Priority } from './ready-keys.ts';
import { reconcileId } from './reconcile-id.ts';
import { WorkQueue } from './work-queue.ts';

/** What a reconcile ends with. */
export type ReconcileResult =
  /** Nothing more to do until something changes. */
  | { readonly tag: 'done' }
  /** Look again after this time, or when something changes. */
  | { readonly tag: 'again'; readonly afterMs: number }
  /** Try again with the key's backoff, or when something changes. */
  | { readonly tag: 'failed'; readonly message: string };

/** What a reconcile is given beside the key. */
export interface ReconcileContext {
  /** Unique to this run, for log lines. */
  readonly reconcileId: string;
  /** Aborts when the controller stops. */
  readonly signal: AbortSignal;
}

/** What a controller needs. */
export interface ControllerOptions {
  /** The name in metrics and logs. */
  readonly name: string;
  readonly clock: Clock;
  /** A number in [0, 1), for jitter and ids. */
  readonly random: () => number;
  /** How many keys may run at the same time. */
  readonly concurrency: number;
  readonly metrics?: RuntimeMetrics;
  readonly log?: Log;
  /** Stops the controller: nothing new is started. */
  readonly signal: AbortSignal;
  readonly reconcile: (key: string, context: ReconcileContext) => Promise<ReconcileResult>;
}

/** How a key is added. */
export interface EnqueueOptions {
  /** Not before this many milliseconds from now. */
  readonly afterMs?: number;
  /** Default `normal`. */
  readonly priority?: Priority;
}

/** A running controller. */
export interface Controller {
  /** Asks for a run of the key. Asking many times before it begins makes one run. */
  enqueue(key: string, options?: EnqueueOptions): void;
  /** True when no key is ready and none runs. Keys that wait for a time do not count. */
  idle(): boolean;
  /** Resolves when the signal has aborted and the last run has ended. */
  readonly stopped: Promise<void>;
}

/** How long runs may follow each other before the event loop gets its turn. */
const SLICE_MS = 5;

/** Starts reconciling: one run per key at a time, `concurrency` keys at a time. */
export function startController(options: ControllerOptions): Controller {
  return new RunningController(options);
}

class RunningController implements Controller {
  readonly stopped: Promise<void>;
  readonly #options: ControllerOptions;
  readonly #log: Log;
  readonly #queue: WorkQueue;
  #resolveStopped: () => void = () => undefined;
  #pumping = false;
  /** When runs began to follow each other in this turn of the event loop. */
  #sliceBegan: number | undefined;

  constructor(options: ControllerOptions) {
    this.#options = options;
    this.#log = options.log ?? silentLog;
    const { clock, random, metrics, name, concurrency, signal } = options;
    this.#queue = new WorkQueue({
      clock,
      random,
      onReady: () => {
        this.#wake();
      },
      onAdded: () => metrics?.queue.added(name),
      onRetry: () => metrics?.queue.retried(name),
    });
    metrics?.controller.started(name, concurrency, this.#queue);
    metrics?.queue.watch(name, this.#queue, clock);
    this.stopped = new Promise((resolve) => {
      this.#resolveStopped = resolve;
    });
    const stop = () => {
      this.#queue.stop();
      this.#checkStopped();
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  }

  enqueue(key: string, { afterMs = 0, priority = 'normal' }: EnqueueOptions = {}): void {
    if (this.#options.signal.aborted) return;
    if (afterMs > 0) this.#queue.addAfter(key, afterMs, priority);
    else this.#queue.add(key, priority);
  }

  idle(): boolean {
    return this.#queue.idle;
  }

  /** Starts runs soon, but not inside the caller: it may be in the middle of a change. */
  #wake(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    queueMicrotask(() => {
      void this.#pump();
    });
  }

  async #pump(): Promise<void> {
    const { concurrency, signal } = this.#options;
    while (!signal.aborted && this.#queue.running.size < concurrency) {
      await this.#turn();
      const next = this.#queue.take();
      if (next === undefined) break;
      void this.#run(next.key, next.since);
    }
    this.#pumping = false;
  }

  /** Runs that never wait follow each other without a turn of the event loop: gives it one when they took long. */
  async #turn(): Promise<void> {
    const { clock } = this.#options;
    const now = clock.monotonic();
    if (this.#sliceBegan === undefined) {
      this.#sliceBegan = now;
      clock.after(0, () => {
        this.#sliceBegan = undefined;
      });
    } else if (now - this.#sliceBegan >= SLICE_MS) {
      await delay(clock, 0);
    }
  }

  async #run(key: string, since: number): Promise<void> {
    const { clock, metrics, name, signal, random, reconcile } = this.#options;
    const began = clock.monotonic();
    metrics?.queue.began(name, (began - since) / 1000);
    const id = reconcileId(random);
    const result = await attempt(() => reconcile(key, { reconcileId: id, signal }));
    const seconds = (clock.monotonic() - began) / 1000;
    metrics?.queue.finished(name, seconds);
    metrics?.controller.reconciled(name, result.tag, seconds);
    if (result.tag === 'failed') {
      this.#log.error('reconcile failed', { controller: name, key, reconcileId: id, error: result.message });
    }
    this.#queue.finish(key, result);
    if (signal.aborted) {
      this.#queue.stop();
      this.#checkStopped();
    } else {
      this.#wake();
    }
  }

  #checkStopped(): void {
    if (this.#queue.running.size === 0) this.#resolveStopped();
  }
}

async function attempt(reconcile: () => Promise<ReconcileResult>): Promise<ReconcileResult> {
  try {
    return await reconcile();
  } catch (error) {
    return { tag: 'failed', message: messageOf(error) };
  }
}
