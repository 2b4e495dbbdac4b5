import { Counter, type Registry } from 'prom-client';

/** The metrics of requests to the API server: client-go's name, and two of our own. */
export class ClientMetrics {
  readonly #requests: Counter<'code' | 'host' | 'method'>;
  readonly #watchFailures: Counter<'kind' | 'reason'>;
  readonly #malformed: Counter<'kind'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#requests = new Counter({
      name: 'rest_client_requests_total',
      help: 'Number of HTTP requests, partitioned by status code, method, and host.',
      labelNames: ['code', 'host', 'method'],
      registers,
    });
    this.#watchFailures = new Counter({
      name: 'kube_runtime_watch_failures_total',
      help: 'Number of lists and watches that failed, by kind and reason.',
      labelNames: ['kind', 'reason'],
      registers,
    });
    this.#malformed = new Counter({
      name: 'kube_runtime_malformed_objects_total',
      help: 'Number of objects of the API server that could not be decoded, by kind.',
      labelNames: ['kind'],
      registers,
    });
  }

  /** A list or a watch failed. */
  watchFailed(kind: string, reason: string): void {
    this.#watchFailures.inc({ kind, reason });
  }

  /** An object of the server does not decode. */
  malformedObject(kind: string): void {
    this.#malformed.inc({ kind });
  }

  /** One request. `code` is the status, or `<error>` when there was no answer, as in client-go. */
  requestDone(code: string, host: string | undefined, method: string): void {
    this.#requests.inc({ code, host: host ?? '', method });
  }
}
