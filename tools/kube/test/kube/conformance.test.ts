import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { Conversation, type Server } from './conformance/conversation.ts';
import { systemClock as clock } from '@cro/clock';
import { differences } from './conformance/differences.ts';
import { gadgetCrd } from './conformance/gadget.ts';
import type { Script } from './conformance/objects.ts';
import { SCRIPTS } from './conformance/scripts.ts';
import { createSimulator, real, simulated } from './conformance/servers.ts';
import { scriptsOf } from './conformance/versions.ts';
import { startWebhookServer, type WebhookServer } from './conformance/webhook-server.ts';
import { WEBHOOK_SCRIPTS } from './conformance/webhooks.ts';
import { startPlane, type Plane } from './support/plane.ts';

const scripts = { ...SCRIPTS, ...scriptsOf(inject('kubeVersion')) };

let plane: Plane;
let sim: Server;
let webhook: WebhookServer;

beforeAll(async () => {
  plane = await startPlane({ crds: [gadgetCrd] });
  sim = simulated(createSimulator());
  webhook = await startWebhookServer(clock.now());
});

afterAll(async () => {
  await webhook.close();
  await plane.close();
});

async function compare(script: Script): Promise<void> {
  const [ours, theirs] = [new Conversation(sim), new Conversation(real(plane))];
  await Promise.all([script(ours), script(theirs)]);
  expect(differences(ours.records, theirs.records).join('\n')).toBe('');
}

describe('kube-sim answers as the real API server does', () => {
  test.each(Object.entries(scripts))('%s', async (_, script) => {
    await compare(script);
  });

  test.each(Object.entries(WEBHOOK_SCRIPTS))('%s', async (_, script) => {
    await compare((api) => script(api, webhook));
  });
});
