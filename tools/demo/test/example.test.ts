import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
// example-begin
import { systemClock } from '@cro/clock';
import { startWorld } from '@cro/demo';

/** The names of the nodes of a world of two. */
async function nodesOfAWorld(): Promise<readonly unknown[]> {
  const world = await startWorld({ clock: systemClock, random: Math.random, nodes: 2, attachMs: 200 });
  // world.startOperator(), world.untilOperatorLeads(30_000), world.client.create(...), world.fabric.calls(), ...
  const nodes = world.kube.objects.list('nodes').map((node) => node['metadata']);
  await world.close();
  return nodes;
}
// example-end

test('the example of the README works', async () => {
  expect(await nodesOfAWorld()).toMatchObject([{ name: 'worker-0' }, { name: 'worker-1' }]);
});

test('the README has the example as it is tested', async () => {
  const source = await readFile(new URL(import.meta.url), 'utf8');
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = /\/\/ example-begin\n([\s\S]*)\/\/ example-end/.exec(source)?.[1] ?? 'no example';
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
});
