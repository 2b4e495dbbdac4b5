import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { Conversation, type Server } from './conformance/conversation.ts';
import { differences } from './conformance/differences.ts';
import { gadgetCrd } from './conformance/gadget.ts';
import { SCRIPTS } from './conformance/scripts.ts';
import { createSimulator, real, simulated } from './conformance/servers.ts';
import { scriptsOf } from './conformance/versions.ts';
import { startPlane, type Plane } from './support/plane.ts';

const scripts = { ...SCRIPTS, ...scriptsOf(inject('kubeVersion')) };

let plane: Plane;
let sim: Server;

beforeAll(async () => {
  plane = await startPlane({ crds: [gadgetCrd] });
  sim = simulated(createSimulator());
});

afterAll(async () => {
  await plane.close();
});

describe('kube-sim answers as the real API server does', () => {
  test.each(Object.entries(scripts))('%s', async (_, script) => {
    const [ours, theirs] = [new Conversation(sim), new Conversation(real(plane))];
    await Promise.all([script(ours), script(theirs)]);
    expect(differences(ours.records, theirs.records).join('\n')).toBe('');
  });
});
