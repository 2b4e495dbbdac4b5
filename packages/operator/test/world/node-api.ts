import type { KubeSim } from '@cro/kube-sim';
import type { Api } from '@cro/node-sim';

/** The nodes' way to an API server in memory. */
export function nodeApi(kube: KubeSim): Api {
  return {
    async send({ headers = {}, ...request }) {
      const { status, body } = await kube.handle({ ...request, headers }, new AbortController().signal);
      if (typeof body !== 'string') throw new Error(`${request.path} answers with a stream`);
      return { status, body };
    },
    async watch(path, signal) {
      const { body } = await kube.handle({ method: 'GET', path, headers: {} }, signal);
      if (typeof body === 'string') throw new Error(`${path} was answered: ${body}`);
      return body;
    },
  };
}
