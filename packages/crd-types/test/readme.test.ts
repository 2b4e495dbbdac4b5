import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { message, refusal, widgetCrd } from './example.ts';

test('the example of the README is the one that runs here', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read('./example.ts')}\`\`\``);
});

test('the example says what its comments say', () => {
  expect(message).toBe('spec.resource.size: found -2, accepted: integer >= 0');
  expect(widgetCrd.metadata.name).toBe('widgets.example.com');
  expect(refusal()).toBe('spec.size');
});
