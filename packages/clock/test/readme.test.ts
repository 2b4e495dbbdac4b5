import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

it('shows an example that runs and prints what it says', async () => {
  const [, code = ''] = /```ts\n(.*?)```/su.exec(read('../README.md')) ?? [];
  expect(code).toBe(read('./readme-example.ts'));
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  await import('./readme-example.ts');
  expect(print.mock.calls).toEqual([['call 3 at 2000 ms']]);
  print.mockRestore();
});
