import { systemClock as clock } from '@cro/clock';
import { crds } from '@cro/crd-types/crd';
import { createKubeSim } from '@cro/kube-sim';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { Conversation, type Server } from './conformance/exchange.ts';
import { SCRIPTS } from './conformance/scripts.ts';
import { SCRIPTS_OF_1_34 } from './conformance/texts-of-1-34.ts';
import { startPlane, STORY_AGENT, type Plane } from './support/plane.ts';

const scripts = { ...SCRIPTS, ...(inject('kubeVersion').startsWith('1.34.') ? SCRIPTS_OF_1_34 : {}) };

let plane: Plane;
let sim: Server;

beforeAll(async () => {
  plane = await startPlane();
  sim = simulator();
});

afterAll(async () => {
  await plane.close();
});

function simulator(): Server {
  const kube = createKubeSim({ clock, random: Math.random, crds: Object.values(crds), historyWindow: 3 });
  return async ({ method, path, type, text, accept = 'application/json' }) => {
    const headers = { 'user-agent': STORY_AGENT, accept, ...(type && { 'content-type': type }) };
    const answer = await kube.handle(
      { method, path, headers, ...(text === undefined ? {} : { body: text }) },
      new AbortController().signal,
    );
    let body = '';
    if (typeof answer.body === 'string') body = answer.body;
    else for await (const part of answer.body) body += part;
    return { status: answer.status, warning: answer.headers['warning'] ?? '', text: body };
  };
}

function real(): Server {
  return async ({ method, path, type = 'application/json', text, accept }) => {
    const answer = await plane.send(method, path, text === undefined ? undefined : { type, text }, accept);
    return { status: answer.status, warning: answer.headers['warning'] ?? '', text: answer.text };
  };
}

describe('kube-sim answers as the real API server does', () => {
  test.each(Object.entries(scripts))('%s', async (_, script) => {
    const [ours, theirs] = [new Conversation(sim), new Conversation(real())];
    await script(theirs);
    await script(ours);
    expect(ours.records).toEqual(theirs.records);
  });
});
