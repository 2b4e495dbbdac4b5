import { ESLint } from 'eslint';
import { expect, it } from 'vitest';

const ROOT = new URL('../../..', import.meta.url).pathname;
const eslint = new ESLint({ cwd: ROOT });

const PURE = ['crd-types', 'state-machines', 'allocation-policy'].map((name) => `packages/${name}/src/index.ts`);
const SHIPPED = 'packages/cdi-core/src/index.ts';
const CLOCK = 'packages/clock/src/index.ts';

/** The rules that `code` breaks when it stands in `file`. */
async function broken(file: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath: `${ROOT}/${file}` });
  const fatal = result?.messages.find((message) => message.fatal);
  if (fatal !== undefined) throw new Error(`${file}: ${fatal.message}`);
  return [...new Set(result?.messages.map(({ ruleId }) => ruleId ?? 'none'))].sort();
}

/** Time and randomness that nobody passed in. */
const AMBIENT = [
  'void Date.now();',
  'void new Date();',
  'void Date();',
  'void performance.now();',
  'setTimeout(() => undefined, 1);',
  'setInterval(() => undefined, 1);',
  'globalThis.setTimeout(() => undefined, 1);',
  'void Math.random();',
];

/** What a pure package must not do beyond that. */
const IO = [
  "import 'node:fs';",
  "import 'fs/promises';",
  "import { systemClock } from '@cro/clock'; void systemClock;",
  "void new Date('2026-01-01');",
  'const D = Date; void D;',
  'queueMicrotask(() => undefined);',
  "void fetch('http://127.0.0.1');",
  'void process.env;',
  'void crypto.randomUUID();',
  "void import('node:fs');",
  "console.log('');",
];

it.each(PURE.flatMap((file) => [...AMBIENT, ...IO].map((code) => [file, code] as const)))(
  '%s refuses %s',
  async (file, code) => {
    const rules = await broken(file, code);
    expect(rules.some((rule) => rule.startsWith('no-restricted-'))).toBe(true);
  },
);

it.each(PURE)('%s may calculate with times that it is given', async (file) => {
  expect(await broken(file, "void (Date.parse('2026-01-01') - Date.UTC(2026, 0, 1));")).toEqual([]);
});

it.each(AMBIENT)('a package that ships refuses %s', async (code) => {
  const rules = await broken(SHIPPED, code);
  expect(rules.some((rule) => rule.startsWith('no-restricted-'))).toBe(true);
});

it('a package that ships may do I/O', async () => {
  expect(await broken(SHIPPED, "import { readFile } from 'node:fs/promises'; void readFile;")).toEqual([]);
});

it('the clock is where time comes from', async () => {
  expect(await broken(CLOCK, 'void Date.now(); setTimeout(() => undefined, 1);')).toEqual([]);
});

it.each([
  ['@typescript-eslint/no-explicit-any', 'const a: any = 1; void a;'],
  ['@typescript-eslint/no-non-null-assertion', 'const list = [1]; void list[0]!;'],
  ['@typescript-eslint/consistent-type-assertions', "const a: unknown = 'a'; void (a as string);"],
  ['@typescript-eslint/no-floating-promises', 'async function f() { await Promise.resolve(); } f();'],
  [
    '@typescript-eslint/switch-exhaustiveness-check',
    "function f(a: 'x' | 'y') { switch (a) { case 'x': return 1; } } void f;",
  ],
  ['jsdoc/require-jsdoc', 'export const a = 1;'],
  ['no-console', "console.log('');"],
  ['max-lines', '\n'.repeat(301)],
  ['max-lines-per-function', `function f(a: number) { ${'a += 1;\n'.repeat(71)} return a; } void f;`],
])('%s holds', async (rule, code) => {
  expect(await broken(SHIPPED, code)).toEqual([rule]);
});

it('`as const` needs no reason', async () => {
  expect(await broken(SHIPPED, "void ['a'] as const;")).toEqual([]);
});

it('a rule is switched off with a reason or not at all', async () => {
  const cast = (comment: string) => `const a: unknown = 'a';\n// ${comment}\nvoid (a as string);`;
  const off = 'eslint-disable-next-line @typescript-eslint/consistent-type-assertions';
  expect(await broken(SHIPPED, cast(`${off} -- parsed just above`))).toEqual([]);
  expect(await broken(SHIPPED, cast(off))).toEqual(['cro/require-reason']);
});
