/** One request to an API server. `path` is absolute, with its query. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer, whatever its status. */
export interface ApiResponse {
  readonly status: number;
  readonly body: string;
}

/** The way to an API server. Rejects only when there is no answer. */
export interface Api {
  send(request: ApiRequest): Promise<ApiResponse>;
  /**
   * Opens a watch: `path` asks for one. Answers its events, a line of JSON each, cut anywhere. Rejects when it is not answered with 200.
   * Needed where there are DaemonSets.
   */
  watch?(path: string, signal: AbortSignal): Promise<AsyncIterable<string | Uint8Array>>;
}

/** What came of a request. */
export type ApiOutcome =
  | { readonly tag: 'ok'; readonly body: string }
  | { readonly tag: 'status'; readonly status: number; readonly message: string }
  | { readonly tag: 'unreachable'; readonly message: string };

/** How much of an answer that is no success goes into a message. */
const SHOWN = 300;

/** Sends one request, with a JSON body if there is one. */
export async function call(
  api: Api,
  method: ApiRequest['method'],
  path: string,
  body?: { readonly type: string; readonly value: unknown },
): Promise<ApiOutcome> {
  const content = body && { body: JSON.stringify(body.value), headers: { 'content-type': body.type } };
  try {
    const response = await api.send({ method, path, ...content });
    if (response.status >= 200 && response.status < 300) return { tag: 'ok', body: response.body };
    const message = `${method} ${path} was answered ${response.status}: ${response.body.slice(0, SHOWN)}`;
    return { tag: 'status', status: response.status, message };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { tag: 'unreachable', message: `${method} ${path} got no answer: ${reason}` };
  }
}
