import { readFileSync } from 'node:fs';
import { systemClock } from '@cro/clock';
import { KubeClient } from '@cro/kube-runtime';
import { inProcessTransport } from '@cro/kube-runtime/testing';
import { createKubeSim } from '@cro/kube-sim';
import { expect, onTestFinished, test } from 'vitest';
import { manifest, serve } from './example.ts';
import { soon } from './support/soon.ts';

test('the example of the README is the one that runs here', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read('./example.ts')}\`\`\``);
});

test('the example gets ready once its manifest is applied', async () => {
  const world = { clock: systemClock, random: Math.random };
  const sim = createKubeSim(world);
  const transport = inProcessTransport(sim.handle);
  sim.objects.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'cro-system' } });
  const client = new KubeClient({ transport, clock: systemClock, random: Math.random });
  const webhook = await serve({ ...world, client, transport }, () => [], 0);
  onTestFinished(() => webhook.close());
  expect(webhook.ready()).toBe(false);
  sim.objects.put(manifest);
  await soon(() => {
    expect(webhook.ready()).toBe(true);
  });
});
