import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namesOf } from '@cro/create-provider';
import { describe, expect, onTestFinished, test } from 'vitest';
import { main } from '../src/main.ts';

/** Runs the program in an empty folder. */
async function run(...argv: string[]) {
  const cwd = await mkdtemp(join(tmpdir(), 'create-provider-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  return { cwd, ...(await runIn(cwd, ...argv)) };
}

async function runIn(cwd: string, ...argv: string[]) {
  const said = { print: '', complain: '' };
  const code = await main(argv, {
    cwd,
    print: (text) => void (said.print += text),
    complain: (text) => void (said.complain += text),
  });
  return { code, ...said };
}

test('a project is written under its own names', async () => {
  const { cwd, code, print } = await run('@acme/cdi-acme');
  expect(code).toBe(0);
  expect(print).toContain('cdi-acme/.gitignore\n');
  expect(print).toContain('cd cdi-acme && npm install && npm run build && npm test');
  const files = print.split('\n').filter((line) => /^cdi-acme\/[^ ]+$/.test(line));
  expect(files).toEqual(
    expect.arrayContaining(['cdi-acme/package.json', 'cdi-acme/src/index.ts', 'cdi-acme/tsconfig.json']),
  );
  for (const file of files) expect(await readFile(join(cwd, file), 'utf8')).not.toContain('my-fabric');
  expect(JSON.parse(await readFile(join(cwd, 'cdi-acme/package.json'), 'utf8'))).toMatchObject({
    name: '@acme/cdi-acme',
  });
  expect(await readFile(join(cwd, 'cdi-acme/src/index.ts'), 'utf8')).toContain("const NAME = 'acme';");
});

test('what is there already is not touched', async () => {
  const { cwd } = await run('--help');
  await mkdir(join(cwd, 'acme'));
  await writeFile(join(cwd, 'acme', 'precious'), 'x');
  expect(await runIn(cwd, 'acme')).toMatchObject({
    code: 2,
    print: '',
    complain: `create-provider: ${join(cwd, 'acme')} is there already and not empty: nothing was written; see --help\n`,
  });
});

test.each([
  [[], 'it takes one name, and got 0'],
  [['a', 'b'], 'it takes one name, and got 2'],
  [['--force'], "Unknown option '--force'"],
  [['../x'], "'../x' cannot be the name; accepted: name or @scope/name"],
  [['Acme'], "'Acme' cannot be the name"],
  [['cdi-sunfish'], "'sunfish' is the name of a provider that the operator has"],
])('%j is refused in one line', async (argv, complaint) => {
  const { code, complain } = await run(...argv);
  expect(code).toBe(2);
  expect(complain).toContain(`create-provider: ${complaint}`);
  expect(complain.trimEnd()).not.toContain('\n');
});

test.each(['--help', '-h'])('%s prints how it is used', async (flag) => {
  expect(await run(flag)).toMatchObject({
    code: 0,
    complain: '',
    print: expect.stringMatching(/^Usage: npm create/) as string,
  });
});

describe('names', () => {
  test.each([
    ['my-fabric', 'my-fabric', 'my-fabric'],
    ['cdi-acme', 'acme', 'cdi-acme'],
    ['@acme/cdi-acme-2', 'acme-2', 'cdi-acme-2'],
  ])('%s is the package of the provider %s', (packageName, providerName, folder) => {
    expect(namesOf(packageName)).toEqual({ tag: 'ok', names: { packageName, providerName, folder } });
  });

  test.each(['', '.', '@acme', '@acme/', 'a/b', 'a_b', 'a b', 'cdi-', 'acme-', 'x\n', 'a'.repeat(64)])(
    '%j is none',
    (name) => {
      expect(namesOf(name).tag).toBe('invalid');
    },
  );
});

test('the template depends on what this workspace has', async () => {
  const read = async (path: string) =>
    JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8')) as Record<string, Record<string, string>>;
  const template = await read('../template/_package.json');
  const root = await read('../../../package.json');
  const core = await read('../../../packages/cdi-core/package.json');
  const { typescript, vitest, '@types/node': types } = root['devDependencies'] ?? {};
  const { version } = core;
  expect(template['dependencies']).toEqual({ '@cro/cdi-core': version, typebox: core['dependencies']?.['typebox'] });
  expect(template['devDependencies']).toEqual({ '@cro/clock': version, '@types/node': types, typescript, vitest });
});
