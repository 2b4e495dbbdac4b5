import type { Transport } from '@cro/kube-runtime';
import type { Api } from '@cro/node-sim';

/** User agent of the simulated nodes. */
const NODE_AGENT = 'node-sim';

/** How simulated nodes reach an API server. */
export function nodeApi(transport: Transport): Api {
  return {
    async send({ method, path, body, headers }) {
      const all = { 'content-type': 'application/json', 'user-agent': NODE_AGENT, ...headers };
      const request = { method, path, headers: all, ...(body === undefined ? {} : { body }) };
      const { status, body: parts } = await transport.send(request, new AbortController().signal);
      return { status, body: await textOf(parts) };
    },
    async watch(path, signal) {
      const { status, body } = await transport.send(
        { method: 'GET', path, headers: { 'user-agent': NODE_AGENT } },
        signal,
      );
      if (status !== 200) throw new Error(`GET ${path} was answered ${status}: ${await textOf(body)}`);
      return body;
    },
  };
}

async function textOf(parts: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const part of parts) text += Buffer.from(part).toString();
  return text;
}
