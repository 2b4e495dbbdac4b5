import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../..', import.meta.url).pathname;
const eslint = new ESLint({ cwd: ROOT });

const PURE = ['crd-types', 'state-machines', 'allocation-policy'].map((name) => `packages/${name}/src/index.ts`);
const SHIPPED = 'packages/cdi-core/src/index.ts';
const CLOCK = 'packages/clock/src/index.ts';

/** Lints `lines` as the content of `file`; answers, for each line, the rules that are broken there. */
async function brokenIn(file: string, lines: readonly string[]): Promise<string[][]> {
  const [result] = await eslint.lintText(lines.join('\n'), { filePath: `${ROOT}/${file}` });
  const messages = result?.messages ?? [];
  const fatal = messages.find((message) => message.fatal);
  if (fatal !== undefined) throw new Error(`${file}: ${fatal.message}`);
  return lines.map((_, index) =>
    messages.filter(({ line }) => line === index + 1).map(({ ruleId }) => ruleId ?? 'none'),
  );
}

/** The lines that no rule about the outside world refuses. */
async function accepted(file: string, lines: readonly string[]): Promise<string[]> {
  const broken = await brokenIn(file, lines);
  return lines.filter((_, index) => !broken[index]?.some((rule) => rule.startsWith('no-restricted-')));
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
  "import { setTimeout as sleep } from 'node:timers/promises'; void sleep;",
  "import { randomUUID } from 'node:crypto'; void randomUUID;",
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

describe('the outside world', () => {
  it.each(PURE)('does not exist in %s', async (file) => {
    expect(await accepted(file, [...AMBIENT, ...IO])).toEqual([]);
  });

  it('is passed in, as far as time and randomness go, wherever we ship', async () => {
    expect(await accepted(SHIPPED, AMBIENT)).toEqual([]);
    const other = ["import { readFile } from 'node:fs/promises'; void readFile;", "void new Date('2026-01-01');"];
    expect(await accepted(SHIPPED, other)).toEqual(other);
  });

  it('has its clock in one package', async () => {
    expect(await accepted(CLOCK, AMBIENT)).toEqual(AMBIENT);
  });

  it('leaves arithmetic with given times alone', async () => {
    const lines = ["void (Date.parse('2026-01-01') - Date.UTC(2026, 0, 1));"];
    for (const file of PURE) expect(await accepted(file, lines)).toEqual(lines);
  });
});

describe('code that ships', () => {
  it('keeps to types, documents what it exports, and stays small', async () => {
    const cases = [
      ['@typescript-eslint/no-explicit-any', 'const a: any = 1; void a;'],
      ['@typescript-eslint/no-non-null-assertion', 'const list = [1]; void list[0]!;'],
      ['@typescript-eslint/consistent-type-assertions', "const b: unknown = 'b'; void (b as string);"],
      ['@typescript-eslint/no-floating-promises', 'async function f() { await Promise.resolve(); } f();'],
      [
        '@typescript-eslint/switch-exhaustiveness-check',
        "function g(a: 'x' | 'y') { switch (a) { case 'x': return 1; } } void g;",
      ],
      ['jsdoc/require-jsdoc', 'export const c = 1;'],
      ['no-console', "console.log('');"],
    ] as const;
    const broken = await brokenIn(
      SHIPPED,
      cases.map(([, code]) => code),
    );
    expect(broken).toEqual(cases.map(([rule]) => [rule]));
    expect((await brokenIn(SHIPPED, Array<string>(301).fill('void 1;'))).flat()).toEqual(['max-lines']);
    const long = ['function f(a: number) {', ...Array<string>(70).fill('a += 1;'), 'return a; } void f;'];
    expect((await brokenIn(SHIPPED, long)).flat()).toEqual(['max-lines-per-function']);
  });

  it('needs no reason for `as const`', async () => {
    expect(await brokenIn(SHIPPED, ["void ['a'] as const;"])).toEqual([[]]);
  });

  it('switches a rule off with a reason or not at all', async () => {
    const off = 'eslint-disable-next-line @typescript-eslint/consistent-type-assertions';
    const cast = (comment: string) => ["const a: unknown = 'a';", `// ${comment}`, 'void (a as string);'];
    expect((await brokenIn(SHIPPED, cast(`${off} -- parsed just above`))).flat()).toEqual([]);
    expect((await brokenIn(SHIPPED, cast(off))).flat()).toEqual(['cro/require-reason']);
  });
});
