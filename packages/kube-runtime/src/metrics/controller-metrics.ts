import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { MeasuredQueue } from './queue-metrics.ts';

/** controller-runtime's buckets. */
const SECONDS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

/** How a reconcile ended, and the value of the label `result` that controller-runtime gives it. */
const RESULTS = { done: 'success', again: 'requeue_after', failed: 'error' } as const;

/** The metrics of controllers, by the names that controller-runtime gives them. */
export class ControllerMetrics {
  readonly #queues = new Map<string, MeasuredQueue>();
  readonly #total: Counter<'controller' | 'result'>;
  readonly #errors: Counter<'controller'>;
  readonly #seconds: Histogram<'controller'>;
  readonly #concurrency: Gauge<'controller'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#total = new Counter({
      name: 'controller_runtime_reconcile_total',
      help: 'Total number of reconciliations per controller',
      labelNames: ['controller', 'result'],
      registers,
    });
    this.#errors = new Counter({
      name: 'controller_runtime_reconcile_errors_total',
      help: 'Total number of reconciliation errors per controller',
      labelNames: ['controller'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'controller_runtime_reconcile_time_seconds',
      help: 'Length of time per reconciliation per controller',
      labelNames: ['controller'],
      buckets: SECONDS,
      registers,
    });
    this.#concurrency = new Gauge({
      name: 'controller_runtime_max_concurrent_reconciles',
      help: 'Maximum number of concurrent reconciles per controller',
      labelNames: ['controller'],
      registers,
    });
    const queues = this.#queues;
    new Gauge({
      name: 'controller_runtime_active_workers',
      help: 'Number of currently used workers per controller',
      labelNames: ['controller'],
      registers,
      collect() {
        for (const [controller, queue] of queues) this.set({ controller }, queue.running.size);
      },
    });
  }

  /** A controller starts. Its counters begin at 0. */
  started(controller: string, concurrency: number, queue: MeasuredQueue): void {
    this.#queues.set(controller, queue);
    this.#concurrency.set({ controller }, concurrency);
    for (const result of Object.values(RESULTS)) this.#total.inc({ controller, result }, 0);
    this.#errors.inc({ controller }, 0);
  }

  /** A reconcile ended. */
  reconciled(controller: string, tag: keyof typeof RESULTS, seconds: number): void {
    this.#total.inc({ controller, result: RESULTS[tag] });
    if (tag === 'failed') this.#errors.inc({ controller });
    this.#seconds.observe({ controller }, seconds);
  }
}
