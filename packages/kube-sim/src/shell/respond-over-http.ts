import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ConnectionCut, type SimRequest, type SimResponse } from '../base/http.ts';
import { failureResponse } from '../api/respond.ts';
import { internalError } from '../base/failures.ts';
import type { Handle } from '../core/handler.ts';
import { readRequest } from './read-request.ts';

/** Answers one HTTP request through the core. */
export async function respondOverHttp(
  handle: Handle,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const hangUp = new AbortController();
  outgoing.on('close', () => {
    hangUp.abort();
  });
  try {
    const request = await readRequest(incoming);
    await send(outgoing, await answer(handle, request, hangUp.signal));
  } catch (error) {
    if (!(error instanceof ConnectionCut) && !hangUp.signal.aborted) throw error;
    incoming.socket.destroy();
  }
}

/** An error that nobody expected is the server's own fault, and said to be. */
async function answer(handle: Handle, request: SimRequest, signal: AbortSignal): Promise<SimResponse> {
  try {
    return await handle(request, signal);
  } catch (error) {
    if (error instanceof ConnectionCut) throw error;
    return failureResponse(internalError(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  }
}

async function send(outgoing: ServerResponse, response: SimResponse): Promise<void> {
  if (typeof response.body === 'string') {
    outgoing.writeHead(response.status, { ...response.headers, 'content-length': Buffer.byteLength(response.body) });
    outgoing.end(response.body);
    return;
  }
  outgoing.writeHead(response.status, response.headers);
  outgoing.flushHeaders();
  for await (const chunk of response.body) {
    if (!outgoing.write(chunk) && !outgoing.destroyed)
      await Promise.race([once(outgoing, 'drain'), once(outgoing, 'close')]);
    if (outgoing.destroyed) return;
  }
  outgoing.end();
}
