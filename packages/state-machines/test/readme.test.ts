import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decision, row, status } from './example.ts';

test('the example of the README is the one that runs here', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read('./example.ts')}\`\`\``);
});

test('the example says what its comments say', () => {
  expect(row).toBe('visible');
  expect(decision).toMatchObject({ tag: 'save', change: { tag: 'report', report: { state: 'Online' } } });
  expect(status?.state).toBe('Online');
  expect(status?.conditions?.find(({ type }) => type === 'Ready')?.status).toBe('True');
});
