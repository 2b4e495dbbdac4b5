/** One HTTP request as a simulator's core gets it. */
export interface SimRequest {
  readonly method: string;
  /** Path with the query, as on the request line: `/fabric_manager/api/v1/machines?tenant_uuid=...`. */
  readonly path: string;
  /** Header names in any case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

/** The answer. Header names are lower case. */
export interface SimResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A fabric manager without a socket. */
export interface FabricCore {
  /**
   * Answers one request. Rejects with {@link ConnectionLost} where a real server would have closed the connection without
   * an answer, and with the signal's reason when the caller hangs up. Work that was asked for goes on after a hang-up.
   */
  handle(request: SimRequest, signal: AbortSignal): Promise<SimResponse>;
}

/** The connection was closed without an answer. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  constructor() {
    super('the connection was closed without an answer');
  }
}

/** What a handler answers, before it becomes bytes. */
export type Reply =
  | { readonly tag: 'json'; readonly status: number; readonly body: unknown; readonly headers?: ReplyHeaders }
  | { readonly tag: 'html'; readonly status: number; readonly body: string; readonly headers?: ReplyHeaders }
  | { readonly tag: 'empty'; readonly status: number; readonly headers?: ReplyHeaders };

/** Headers of a reply beyond its content type. Names are lower case. */
export type ReplyHeaders = Readonly<Record<string, string>>;

/** Writes a reply out. */
export function toResponse(reply: Reply): SimResponse {
  switch (reply.tag) {
    case 'json':
      return {
        status: reply.status,
        headers: { 'content-type': 'application/json', ...reply.headers },
        body: JSON.stringify(reply.body),
      };
    case 'html':
      return { status: reply.status, headers: { 'content-type': 'text/html', ...reply.headers }, body: reply.body };
    case 'empty':
      return { status: reply.status, headers: { ...reply.headers }, body: '' };
    default:
      return reply satisfies never;
  }
}

/** A header by its name in lower case, whatever case the client wrote it in. */
export function headerOf(request: SimRequest, name: string): string | undefined {
  for (const [key, value] of Object.entries(request.headers)) {
    if (key.toLowerCase() === name) return value;
  }
  return undefined;
}
