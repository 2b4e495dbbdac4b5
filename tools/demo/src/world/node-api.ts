import type { KubeSim } from '@cro/kube-sim';
import type { Api } from '@cro/node-sim';

/** User agent of the simulated nodes. */
export const NODE_AGENT = 'node-sim';

/** The nodes' way to the API server, within the process. */
export function nodeApi(kube: Pick<KubeSim, 'handle'>, signal: AbortSignal): Api {
  return {
    async send({ method, path, body, headers }) {
      const all = { 'content-type': 'application/json', 'user-agent': NODE_AGENT, ...headers };
      const request = { method, path, headers: all, ...(body === undefined ? {} : { body }) };
      const answer = await kube.handle(request, signal);
      return { status: answer.status, body: await textOf(answer.body) };
    },
  };
}

async function textOf(body: string | AsyncIterable<string>): Promise<string> {
  if (typeof body === 'string') return body;
  let text = '';
  for await (const part of body) text += part;
  return text;
}
