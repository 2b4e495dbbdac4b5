import type { RuntimeMetrics } from '@cro/kube-runtime';
import { Gauge, Histogram } from 'prom-client';
import type { FabricMetrics } from './fabric/fabric.ts';

/** What the gauges read at the moment of a scrape. */
export interface ObservedFigures {
  /** Number of devices in each state. */
  readonly devicesByState: () => Readonly<Record<string, number>>;
  /** Devices that nobody owns. */
  readonly orphans: () => number;
}

/** Buckets of fabric calls, in seconds: from an instant fabric to FM's limit of 180 s. */
const BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 180, 300];

/** The metrics of this operator, beside those of the runtime. */
export class OperatorMetrics implements FabricMetrics {
  readonly #runtime: RuntimeMetrics;
  readonly #durations: Histogram<'op' | 'result'>;
  readonly #inFlight: Gauge<'op'>;

  constructor(runtime: RuntimeMetrics) {
    this.#runtime = runtime;
    const registers = [runtime.registry];
    this.#durations = new Histogram({
      name: 'cro_fabric_operation_duration_seconds',
      help: 'Time that the fabric took for an attach or a detach, by result.',
      labelNames: ['op', 'result'],
      buckets: BUCKETS,
      registers,
    });
    this.#inFlight = new Gauge({
      name: 'cro_fabric_operations_in_flight',
      help: 'Attach and detach calls that the fabric is at work on.',
      labelNames: ['op'],
      registers,
    });
  }

  operationStarted(op: 'attach' | 'detach'): void {
    this.#inFlight.inc({ op });
  }

  operationEnded(op: 'attach' | 'detach', seconds: number, result: string): void {
    this.#inFlight.dec({ op });
    this.#durations.observe({ op, result }, seconds);
  }

  /** Adds the gauge of an operator that drains: one that is 0 has drained. */
  observeDrain(open: () => number): void {
    new Gauge({
      name: 'cro_drain_open_resources',
      help: 'ComposableResources that another operator cannot take over yet. Only while draining.',
      registers: [this.#runtime.registry],
      collect() {
        this.set(open());
      },
    });
  }

  /** Adds the gauges that are read when somebody asks. */
  observe({ devicesByState, orphans }: ObservedFigures): void {
    const registers = [this.#runtime.registry];
    new Gauge({
      name: 'cro_devices',
      help: 'ComposableResources by state.',
      labelNames: ['state'],
      registers,
      collect() {
        this.reset();
        for (const [state, count] of Object.entries(devicesByState())) this.set({ state }, count);
      },
    });
    new Gauge({
      name: 'cro_orphans',
      help: 'Devices on cluster machines that no ComposableResource owns.',
      registers,
      collect() {
        this.set(orphans());
      },
    });
  }
}
