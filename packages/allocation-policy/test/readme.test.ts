import { readFileSync } from 'node:fs';
import { formatWithOptions } from 'node:util';
import { expect, it, vi } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

it('shows an example that runs and prints what it says', async () => {
  const [, code = ''] = /```ts\n(.*?)```/su.exec(read('../README.md')) ?? [];
  expect(code).toBe(read('./readme-example.ts'));
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  await import('./readme-example.ts');
  const printed = print.mock.calls.map((values) => formatWithOptions({ breakLength: Infinity }, ...values));
  print.mockRestore();
  expect(printed).toEqual([...code.matchAll(/\/\/ (\{.*\})$/gmu)].map(([, comment]) => comment));
  expect(printed).toHaveLength(2);
});
