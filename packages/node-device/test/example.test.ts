import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
// example-begin
import { KubeClient, watchKind } from '@cro/kube-runtime';
import { resourceSliceKind, sliceIndexes, sliceVisibility } from '@cro/node-device';
import type { KubeClientOptions } from '@cro/kube-runtime';

/** Calls `seen` when `node` shows the device `deviceId`. */
function whenVisible(world: KubeClientOptions, node: string, deviceId: string, seen: () => void, signal: AbortSignal) {
  const client = new KubeClient(world);
  const cache = watchKind(resourceSliceKind, { ...world, client, indexes: sliceIndexes, signal });
  const visibility = sliceVisibility({ cache });
  const look = () => {
    if (visibility.of(node, deviceId) === 'visible') seen();
  };
  visibility.onChange((changedNode, changedId) => {
    if (changedNode === node && changedId === deviceId) look();
  });
  return cache.whenSynced(signal).then(look);
}
// example-end
import { inProcessTransport } from '@cro/kube-runtime/testing';
import { simulatedCluster, slice } from './simulated-cluster.ts';

test('the example of the README works', async () => {
  const { clock, kube, signal, stop } = simulatedCluster();
  const transport = inProcessTransport((request, abort) => kube.handle(request, abort));
  let seen = 0;
  await whenVisible({ transport, clock, random: Math.random }, 'worker-0', 'GPU-a', () => (seen += 1), signal);
  expect(seen).toBe(0);
  kube.objects.put(slice('s0', { nodeName: 'worker-0' }, ['GPU-a']));
  await clock.advance(1000);
  expect(seen).toBe(1);
  stop();
});

test('the README has the example as it is tested', async () => {
  const source = await readFile(new URL(import.meta.url), 'utf8');
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = /\/\/ example-begin\n([\s\S]*)\/\/ example-end/.exec(source)?.[1] ?? 'no example';
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
});
