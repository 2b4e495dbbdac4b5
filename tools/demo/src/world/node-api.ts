import type { Transport } from '@cro/kube-runtime';
import type { Api } from '@cro/node-sim';

/** User agent of the simulated nodes. */
export const NODE_AGENT = 'node-sim';

/** The nodes' way to the API server. */
export function nodeApi(transport: Transport, signal: AbortSignal): Api {
  return {
    async send({ method, path, body, headers }) {
      const all = { 'content-type': 'application/json', 'user-agent': NODE_AGENT, ...headers };
      const request = { method, path, headers: all, ...(body === undefined ? {} : { body }) };
      const { status, body: parts } = await transport.send(request, signal);
      return { status, body: await textOf(parts) };
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
