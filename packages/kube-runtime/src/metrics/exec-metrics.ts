import { Gauge, type Registry } from 'prom-client';

/** The metrics of commands in containers. */
export class ExecMetrics {
  readonly #running: Gauge;
  readonly #waiting: Gauge;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#running = new Gauge({
      name: 'kube_runtime_execs_running',
      help: 'Number of commands in containers that run now.',
      registers,
    });
    this.#waiting = new Gauge({
      name: 'kube_runtime_execs_waiting',
      help: 'Number of commands that wait because as many run as may run at one time.',
      registers,
    });
  }

  /** How many there are now. */
  show({ running, waiting }: { readonly running: number; readonly waiting: number }): void {
    this.#running.set(running);
    this.#waiting.set(waiting);
  }
}
