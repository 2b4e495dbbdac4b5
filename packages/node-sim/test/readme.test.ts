import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the example of the README runs as it stands there', async () => {
  const example = readFileSync(new URL('example.ts', import.meta.url), 'utf8');
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
  // Its assertions speak for themselves.
  await expect(import('./example.ts')).resolves.toBeDefined();
});
