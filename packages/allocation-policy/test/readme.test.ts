import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { answer, rules } from './readme-example.ts';
import { plan } from '../src/index.ts';
import { node, request } from './support/cases.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

it('shows the code of readme-example.ts', () => {
  const blocks = [...read('../README.md').matchAll(/```ts\n(.*?)```/gsu)].map(([, code = '']) => code);
  const code = blocks
    .join('\n')
    .replace(/^import .*\n/gmu, '')
    .trim();
  const example = read('./readme-example.ts')
    .replace(/^import .*\n/gmu, '')
    .replace(/^export /gmu, '')
    .trim();
  expect(code.replace(/\n{2,}/gu, '\n')).toBe(example.replace(/\n{2,}/gu, '\n'));
});

it('says what its example answers', () => {
  expect(answer).toEqual({ tag: 'planned', keep: [], drop: [], create: ['worker-1', 'worker-1'] });
});

it('shows a filter that works', () => {
  const input = {
    requestName: 'mine',
    resource: request(),
    children: [],
    nodes: [node('maintenance-1'), node('worker-1')],
  };
  expect(plan(input, rules)).toMatchObject({ create: ['worker-1', 'worker-1'] });
});
