/** A connection between a machine's endpoint and a device's. `body` is what its creator said of it. */
export interface Connection {
  readonly id: string;
  /** The machine, by its UUID. */
  readonly machine: string;
  /** URIs of the devices' endpoints. */
  readonly targets: readonly string[];
  /** URIs of the memory chunks that it gives. */
  readonly chunks: readonly string[];
  /** The device of the pool that it brings. */
  readonly resUuid: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The fabric's connections. */
export class ConnectionBook {
  readonly #connections = new Map<string, Connection>();

  /** Every connection. */
  all(): readonly Connection[] {
    return [...this.#connections.values()];
  }

  /** A connection by its id. */
  get(id: string): Connection | undefined {
    return this.#connections.get(id);
  }

  /** Notes a connection. */
  add(connection: Connection): void {
    this.#connections.set(connection.id, connection);
  }

  /** Forgets a connection. */
  delete(id: string): void {
    this.#connections.delete(id);
  }

  /** The connection that uses an endpoint. */
  using(endpoint: string): Connection | undefined {
    return this.all().find(({ targets }) => targets.includes(endpoint));
  }
}
