import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { kubeconfigForController, tryController } from './example.ts';
import { ManualClock, seeded } from './fixtures.ts';

it('the example of the README is the one that runs here', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const example = readFileSync(new URL('example.ts', import.meta.url), 'utf8');
  expect(/```ts\n(.*?)```/su.exec(readme)?.[1]).toBe(example);
});

it('the controller of the README paints, although an answer was lost', async () => {
  const { widget, writes } = await tryController(new ManualClock(), seeded(1));
  expect(widget).toMatchObject({ status: { state: 'Painted' } });
  expect(writes).toEqual(['list  200', 'patch a cut', 'list  200', 'patch a 200']);
});

it('and the socket of the README gives a kubeconfig', async () => {
  const { kubeconfig, close } = await kubeconfigForController(new ManualClock(), seeded(1));
  expect(kubeconfig).toContain('server: https://127.0.0.1:');
  await close();
});
