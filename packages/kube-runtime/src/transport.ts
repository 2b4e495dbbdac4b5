/** One request to the API server. `path` starts with `/` and holds the query; it is already escaped. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The answer, whatever its status. Header names are lower case. `body` throws when the connection breaks. */
export interface TransportResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * The only way to the API server. It sends a request once: no retry, no redirect, no deadline of its own.
 * `signal` ends the request and its body, at any time.
 */
export interface Transport {
  /** The name of the server, for metrics. */
  readonly host?: string;
  /** Rejects only when there is no answer: refused, reset, bad certificate, aborted. */
  send(request: TransportRequest, signal: AbortSignal): Promise<TransportResponse>;
}
