import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRedfishSim, startSunfishSim } from '@cro/fabric-sim';
import { expect, onTestFinished, test } from 'vitest';
import { attachOne } from './example.ts';
import { MODEL } from './support/fabric.ts';

test('the example of the README is the one that is tested', async () => {
  const [readme, example] = await Promise.all(['README.md', 'test/example.ts'].map((file) => readFile(file, 'utf8')));
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
});

test.each([
  ['a Redfish service', startRedfishSim],
  ['a Sunfish server', startSunfishSim],
])('the example attaches a GPU to %s over real HTTPS', async (_, start) => {
  const { sim, url, caPem, close } = await start();
  const folder = await mkdtemp(join(tmpdir(), 'cdi-sunfish-'));
  onTestFinished(async () => {
    await close();
    await rm(folder, { recursive: true });
  });
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, caPem);
  const [machine = ''] = Object.keys(sim.snapshot().machines);
  const outcome = await attachOne({ endpoint: url, caFile }, machine, MODEL);
  expect(outcome).toMatchObject({ tag: 'done', device: { cdiDeviceId: sim.attachedTo(machine)[0]?.resUuid } });
  expect(sim.calls()).toMatchObject({ attach: 1 });
});
