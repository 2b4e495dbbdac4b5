import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFabricSim } from '@cro/fabric-sim';
import { expect, onTestFinished, test } from 'vitest';
import { attachOne } from './example.ts';
import { MODEL, secretsOf } from './support/fabric.ts';

test('the example of the README is the one that is tested', async () => {
  const [readme, example] = await Promise.all(['README.md', 'test/example.ts'].map((file) => readFile(file, 'utf8')));
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
});

test('the example attaches a GPU over real HTTPS', async () => {
  const { sim, endpoint, caPem, close } = await startFabricSim();
  const folder = await mkdtemp(join(tmpdir(), 'cdi-fti-'));
  onTestFinished(async () => {
    await close();
    await rm(folder, { recursive: true });
  });
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, caPem);
  const [machine = ''] = Object.keys(sim.snapshot().machines);
  const config = { endpoint, tenantId: sim.tenant, caFile };
  const outcome = await attachOne(config, secretsOf(sim), machine, MODEL);
  expect(outcome).toMatchObject({ tag: 'done', device: { cdiDeviceId: sim.attachedTo(machine)[0]?.resUuid } });
  expect(sim.calls()).toMatchObject({ token: 1, get: 1, attach: 1, other: 0 });
});
