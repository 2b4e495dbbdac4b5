/** One HTTP request to the server. */
export interface SimRequest {
  readonly method: string;
  /** Path and query, as in the request line. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

/** The answer. A stream is one that the server goes on writing to: a watch. */
export interface SimResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | AsyncIterable<string>;
}

/** The connection was cut: the client gets no answer, or no more of it. Thrown by `handle` and by streams on a fault. */
export class ConnectionCut extends Error {
  constructor() {
    super('the connection was cut');
    this.name = 'ConnectionCut';
  }
}
