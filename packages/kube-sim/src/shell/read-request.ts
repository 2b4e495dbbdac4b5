import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { SimRequest } from '../base/http.ts';
import { decodeProtobuf, PROTOBUF } from '../protobuf/decode.ts';

/** The parts of a request that the core reads. Objects in protobuf are handed on as JSON. */
export async function readRequest(incoming: IncomingMessage): Promise<SimRequest> {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(incoming, 'end');
  const body = Buffer.concat(chunks);
  const request = toSimRequest(incoming, '');
  const object = request.headers['content-type'] === PROTOBUF ? decodeProtobuf(body) : undefined;
  if (object === undefined) return { ...request, body: body.toString('utf8') };
  return {
    ...request,
    headers: { ...request.headers, 'content-type': 'application/json' },
    body: JSON.stringify(object),
  };
}

/** A request with the given body. */
export function toSimRequest(incoming: IncomingMessage, body: string): SimRequest {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    headers[name] = Array.isArray(value) ? value.join(',') : value;
  }
  return { method: incoming.method ?? 'GET', path: incoming.url ?? '/', headers, body };
}
