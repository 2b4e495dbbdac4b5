import type { IncomingMessage, ServerResponse } from 'node:http';
import { ConnectionLost, type FabricCore, type SimRequest } from '../core/http.ts';

/** The longest body that is read; more is answered with 413. */
const MOST_BYTES = 1_048_576;

/** Answers one exchange on a socket by a core. */
export function answerOver(core: FabricCore, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const hangUp = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableEnded) hangUp.abort(new Error('the client hung up'));
  });
  exchange(core, incoming, outgoing, hangUp.signal).catch((error: unknown) => {
    if (hangUp.signal.aborted) return;
    if (error instanceof ConnectionLost) outgoing.socket?.destroy();
    else outgoing.destroy(error instanceof Error ? error : new Error(String(error)));
  });
}

async function exchange(
  core: FabricCore,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const body = await readBody(incoming);
  if (body === undefined) {
    outgoing.writeHead(413, { connection: 'close' }).end();
    return;
  }
  const { status, headers, body: answer } = await core.handle(toRequest(incoming, body), signal);
  outgoing.writeHead(status, headers).end(answer);
}

function toRequest(incoming: IncomingMessage, body: string): SimRequest {
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as const);
  const { method = 'GET', url: path = '/' } = incoming;
  return { method, path, headers: Object.fromEntries(headers), ...(body === '' ? {} : { body }) };
}

async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    const piece: unknown = chunk;
    if (!(piece instanceof Uint8Array)) throw new Error('a request body came as something other than bytes');
    bytes += piece.length;
    if (bytes > MOST_BYTES) return undefined;
    chunks.push(piece);
  }
  return Buffer.concat(chunks).toString('utf8');
}
