import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve, type Serving } from '@cro/kube-sim';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differences } from './conformance/differences.ts';
import { gadgetCrd } from './conformance/gadget.ts';
import { createSimulator } from './conformance/servers.ts';
import { reading } from './kubectl/scripts/reading.ts';
import { waiting } from './kubectl/scripts/waiting.ts';
import { writing } from './kubectl/scripts/writing.ts';
import { Terminal } from './kubectl/terminal.ts';
import { startPlane, type Plane } from './support/plane.ts';

const SCRIPTS = { ...writing, ...waiting, ...reading };

let plane: Plane;
let serving: Serving;
let homes: string;

beforeAll(async () => {
  homes = await mkdtemp(join(tmpdir(), 'cro-kubectl-'));
  await Promise.all(['ours', 'theirs'].map((name) => mkdir(join(homes, name))));
  plane = await startPlane({ crds: [gadgetCrd] });
  serving = await serve(createSimulator());
  await writeFile(join(homes, 'kubeconfig'), serving.kubeconfig, { mode: 0o600 });
});

afterAll(async () => {
  await serving.close();
  await plane.close();
  await rm(homes, { recursive: true });
});

describe('kubectl prints of kube-sim what it prints of the real API server', () => {
  test.each(Object.entries(SCRIPTS))('%s', async (_, script) => {
    const ours = new Terminal(join(homes, 'ours'), join(homes, 'kubeconfig'));
    const theirs = new Terminal(join(homes, 'theirs'), plane.control.kubeconfigPath);
    await Promise.all([script(ours), script(theirs)]);
    expect(differences(ours.records, theirs.records).join('\n')).toBe('');
  });
});
