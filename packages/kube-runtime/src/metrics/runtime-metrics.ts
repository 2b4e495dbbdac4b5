import { Gauge, Registry } from 'prom-client';
import { ClientMetrics } from './client-metrics.ts';
import { ControllerMetrics } from './controller-metrics.ts';
import { ExecMetrics } from './exec-metrics.ts';
import { QueueMetrics } from './queue-metrics.ts';

/**
 * The metrics of the runtime, by controller-runtime's names, so that its dashboards and alerts work. One per process;
 * `registry` is what the program serves, and where it adds its own.
 */
export class RuntimeMetrics {
  readonly registry: Registry;
  readonly client: ClientMetrics;
  readonly queue: QueueMetrics;
  readonly controller: ControllerMetrics;
  readonly exec: ExecMetrics;
  readonly #leader: Gauge<'name'>;

  constructor(registry: Registry = new Registry()) {
    this.registry = registry;
    this.client = new ClientMetrics(registry);
    this.queue = new QueueMetrics(registry);
    this.controller = new ControllerMetrics(registry);
    this.exec = new ExecMetrics(registry);
    this.#leader = new Gauge({
      name: 'leader_election_master_status',
      help: 'Gauge of if the reporting system is master of the relevant lease, 0 indicates backup, 1 indicates master.',
      labelNames: ['name'],
      registers: [registry],
    });
  }

  /** Whether this process holds the lease `name`. */
  leading(name: string, holds: boolean): void {
    this.#leader.set({ name }, holds ? 1 : 0);
  }
}
