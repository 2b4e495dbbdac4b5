import type { Clock } from '@cro/clock';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** The part of a work queue that is measured when metrics are read. */
export interface MeasuredQueue {
  readonly depth: number;
  /** When each running key began, in monotonic milliseconds. */
  readonly running: ReadonlyMap<string, number>;
}

/** client-go's buckets: powers of ten from 10 ns to 1000 s. */
const SECONDS = Array.from({ length: 12 }, (_, power) => 10 ** (power - 8));

/** The metrics of work queues, by the names that controller-runtime gives them. */
export class QueueMetrics {
  readonly #queues = new Map<string, { readonly queue: MeasuredQueue; readonly clock: Clock }>();
  readonly #adds: Counter<'name'>;
  readonly #retries: Counter<'name'>;
  readonly #waited: Histogram<'name'>;
  readonly #worked: Histogram<'name'>;

  constructor(registry: Registry) {
    const registers = [registry];
    const labelNames = ['name'] as const;
    this.#adds = new Counter({
      name: 'workqueue_adds_total',
      help: 'Total number of adds handled by workqueue',
      labelNames,
      registers,
    });
    this.#retries = new Counter({
      name: 'workqueue_retries_total',
      help: 'Total number of retries handled by workqueue',
      labelNames,
      registers,
    });
    this.#waited = new Histogram({
      name: 'workqueue_queue_duration_seconds',
      help: 'How long in seconds an item stays in workqueue before being requested',
      labelNames,
      buckets: SECONDS,
      registers,
    });
    this.#worked = new Histogram({
      name: 'workqueue_work_duration_seconds',
      help: 'How long in seconds processing an item from workqueue takes.',
      labelNames,
      buckets: SECONDS,
      registers,
    });
    this.#gauge(registry, 'workqueue_depth', 'Current depth of workqueue', (queue) => queue.depth);
    this.#gauge(
      registry,
      'workqueue_unfinished_work_seconds',
      'How many seconds of work has been done that is in progress and has not been observed by work_duration.',
      (queue, now) => agesOf(queue, now).reduce((sum, age) => sum + age, 0),
    );
    this.#gauge(
      registry,
      'workqueue_longest_running_processor_seconds',
      'How many seconds has the longest running processor for workqueue been running.',
      (queue, now) => Math.max(0, ...agesOf(queue, now)),
    );
  }

  /** Measures a queue from now on. Its counters begin at 0, so that a dashboard shows them before the first event. */
  watch(name: string, queue: MeasuredQueue, clock: Clock): void {
    this.#queues.set(name, { queue, clock });
    this.#adds.inc({ name }, 0);
    this.#retries.inc({ name }, 0);
  }

  /** A key was added. */
  added(name: string): void {
    this.#adds.inc({ name });
  }

  /** A key will run again after a failure. */
  retried(name: string): void {
    this.#retries.inc({ name });
  }

  /** A key began to run after it had waited. */
  began(name: string, waitedSeconds: number): void {
    this.#waited.observe({ name }, waitedSeconds);
  }

  /** A run ended. */
  finished(name: string, seconds: number): void {
    this.#worked.observe({ name }, seconds);
  }

  #gauge(registry: Registry, name: string, help: string, read: (queue: MeasuredQueue, now: number) => number): void {
    const queues = this.#queues;
    new Gauge({
      name,
      help,
      labelNames: ['name'],
      registers: [registry],
      collect() {
        for (const [queueName, { queue, clock }] of queues) {
          this.set({ name: queueName }, read(queue, clock.monotonic()));
        }
      },
    });
  }
}

function agesOf(queue: MeasuredQueue, now: number): number[] {
  return [...queue.running.values()].map((began) => (now - began) / 1000);
}
