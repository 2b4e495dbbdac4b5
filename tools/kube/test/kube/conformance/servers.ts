import { systemClock as clock } from '@cro/clock';
import { crds } from '@cro/crd-types/crd';
import { createKubeSim, type KubeSim } from '@cro/kube-sim';
import { compactEtcd } from '../support/etcd.ts';
import { STORY_AGENT, type Plane } from '../support/plane.ts';
import type { Server } from './conversation.ts';
import { gadgetCrd } from './gadget.ts';

/** A kube-sim that knows what the control plane knows. */
export function createSimulator(): KubeSim {
  const known = [...Object.values(crds), gadgetCrd];
  return createKubeSim({ clock, random: Math.random, crds: known, historyWindow: 1000 });
}

/** kube-sim as a server under test. */
export function simulated(kube: KubeSim): Server {
  return {
    compact() {
      kube.compact();
      return Promise.resolve();
    },
    async send({ method, path, type, text, accept = 'application/json' }) {
      const headers = { 'user-agent': STORY_AGENT, accept, ...(type !== undefined && { 'content-type': type }) };
      const request = { method, path, headers, ...(text !== undefined && { body: text }) };
      const answer = await kube.handle(request, new AbortController().signal);
      let body = '';
      if (typeof answer.body === 'string') body = answer.body;
      else for await (const part of answer.body) body += part;
      return { status: answer.status, headers: answer.headers, text: body };
    },
  };
}

/** The real API server. */
export function real(plane: Plane): Server {
  return {
    compact: () => compactEtcd(plane.control),
    send: ({ method, path, type = 'application/json', text, accept }) =>
      plane.send(method, path, text === undefined ? undefined : { type, text }, accept),
  };
}
