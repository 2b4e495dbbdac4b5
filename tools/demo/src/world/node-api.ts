import { startDeadline, type Clock } from '@cro/clock';
import type { Transport } from '@cro/kube-runtime';
import type { Api } from '@cro/node-sim';

/** User agent of the simulated nodes. */
export const NODE_AGENT = 'node-sim';

/** A call that has no answer by then is lost, and the node makes it again: an API server gives up on one after 60 s. */
const ANSWER_WITHIN_MS = 70_000;

/** How a simulated node's way to the API server ends, and keeps time. */
export interface NodeApiOptions {
  readonly clock: Clock;
  /** Ends everything that is under way. */
  readonly signal: AbortSignal;
}

/** The nodes' way to an API server. */
export function nodeApi(transport: Transport, { clock, signal }: NodeApiOptions): Api {
  return {
    async send({ method, path, body, headers }) {
      const all = { 'content-type': 'application/json', 'user-agent': NODE_AGENT, ...headers };
      const request = { method, path, headers: all, ...(body === undefined ? {} : { body }) };
      const deadline = startDeadline(clock, ANSWER_WITHIN_MS, signal);
      try {
        const { status, body: parts } = await transport.send(request, deadline.signal);
        return { status, body: await textOf(parts) };
      } finally {
        deadline.clear();
      }
    },
    async watch(path, signalOfWatch) {
      const until = AbortSignal.any([signal, signalOfWatch]);
      const { status, body } = await transport.send(
        { method: 'GET', path, headers: { 'user-agent': NODE_AGENT } },
        until,
      );
      if (status !== 200) throw new Error(`GET ${path} was answered ${status}: ${await textOf(body)}`);
      return body;
    },
  };
}

async function textOf(parts: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const part of parts) chunks.push(part);
  return Buffer.concat(chunks).toString('utf8');
}
