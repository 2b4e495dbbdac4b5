import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { importDefinition, isPackageName } from '@cro/cdi-core';
import { systemClock } from '@cro/clock';
import { VirtualClock } from '@cro/clock/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../support/server.ts';

const NAME = '@acme/cdi-acme';
const GOOD = "export default { contract: 1, name: 'acme', configSchema: {}, reads: [], create() {} };";

/** Files of one package: its package.json, and what it loads. */
interface Files {
  readonly manifest?: object | string;
  readonly entry?: string;
  readonly code?: string;
}

async function writePackage(folder: string, { manifest, entry = 'index.js', code = GOOD }: Files): Promise<void> {
  const file = join(folder, entry);
  await mkdir(dirname(file), { recursive: true });
  const content = manifest ?? { name: NAME, version: '1.2.3', type: 'module', exports: `./${entry}` };
  await writeFile(join(folder, 'package.json'), typeof content === 'string' ? content : JSON.stringify(content));
  await writeFile(file, code);
}

/** Imports a package that is installed below a folder. */
async function importInstalled(files: Files, name = NAME) {
  const path = await tempFolder();
  await writePackage(join(path, 'node_modules', name), files);
  const found = await importDefinition(name, { path, program: '/nowhere', clock: systemClock, taken: ['fti-fm'] });
  return found.tag === 'failed' ? found.message.replaceAll(path, '<path>') : found;
}

describe('a package is found', () => {
  const options = { clock: systemClock, taken: [] };

  test('in the node_modules of the folder', async () => {
    expect(await importInstalled({})).toMatchObject({ tag: 'found', definition: { name: 'acme' } });
  });

  test('in the folder itself, when that is the package', async () => {
    const path = await tempFolder();
    await writePackage(path, {});
    expect(await importDefinition(NAME, { ...options, path, program: '/nowhere' })).toMatchObject({ tag: 'found' });
  });

  test('beside the program, or above it', async () => {
    const above = await tempFolder();
    await writePackage(join(above, 'node_modules', NAME), {});
    const program = join(above, 'apps', 'operator');
    expect(await importDefinition(NAME, { ...options, program })).toMatchObject({ tag: 'found' });
  });

  test.each<[string, Files]>([
    ['main, without exports', { manifest: { type: 'module', main: 'lib/a.js' }, entry: 'lib/a.js' }],
    ['index.js, where nothing is said', { manifest: { type: 'module' } }],
    ['.mjs', { manifest: { exports: './a.mjs' }, entry: 'a.mjs' }],
    [
      'conditions',
      {
        manifest: { type: 'module', exports: { '.': { require: './b.cjs', import: { default: './a.js' } } } },
        entry: 'a.js',
      },
    ],
  ])('and its entry, by %s', async (_, files) => {
    expect(await importInstalled(files)).toMatchObject({ tag: 'found' });
  });
});

describe('a package that is wrong is told in one line:', () => {
  test('not there', async () => {
    const path = await tempFolder();
    await writePackage(path, { manifest: { name: 'another' } });
    const options = { clock: systemClock, taken: [], program: '/srv/app' };
    expect(await importDefinition(NAME, { ...options, path })).toEqual({
      tag: 'failed',
      message: `provider package '${NAME}': not found; looked for in: ${path}/node_modules/${NAME}, ${path} (which is 'another')`,
    });
    expect(await importDefinition(NAME, options)).toEqual({
      tag: 'failed',
      message: `provider package '${NAME}': not found; looked for in: /srv/app/node_modules/${NAME}, /srv/node_modules/${NAME}, /node_modules/${NAME}`,
    });
  });

  const entry = `<path>/node_modules/${NAME}/index.js`;
  test.each<[string, Files, string]>([
    ['a package.json that is none', { manifest: '{' }, `<path>/node_modules/${NAME}/package.json holds no JSON object`],
    [
      'no entry for import',
      { manifest: { exports: { require: './index.js' } } },
      'its exports have no entry for import',
    ],
    [
      'an entry that is not built',
      { manifest: { exports: './dist/index.js' } },
      'dist/index.js does not exist: is it built?',
    ],
    ['an entry outside of it', { manifest: { exports: '../../x.js' } }, 'its entry ../../x.js is outside of it'],
    [
      'CommonJS',
      { manifest: {}, code: 'module.exports = {}' },
      `its entry ${entry} is no ES module: set "type": "module"`,
    ],
    ['CommonJS by its ending', { manifest: { main: 'a.cjs' }, entry: 'a.cjs' }, 'a.cjs is no ES module'],
    ['a syntax error', { code: 'export default {' }, `the import of ${entry} failed: `],
    ['an import that leads nowhere', { code: "import 'not-there-at-all';" }, `the import of ${entry} failed: `],
    ['code that throws', { code: "throw new Error('two\\nlines');" }, `the import of ${entry} failed: two lines`],
    ['no export at all', { code: '' }, `${entry} has no default export (it exports nothing)`],
    ['no default export', { code: 'export const acme = 1;' }, `${entry} has no default export (it exports acme)`],
    [
      'a default export of another kind',
      { code: 'export default () => 1;' },
      'its default export is not accepted: it is no definition',
    ],
    [
      'another contract',
      { code: GOOD.replace('1', '2') },
      'its default export is not accepted: it is made for contract 2, accepted: 1',
    ],
    [
      'a name that is taken',
      { code: GOOD.replace("'acme'", "'fti-fm'") },
      "it calls its provider 'fti-fm', and a built-in one is called so",
    ],
  ])('%s', async (_, files, message) => {
    const told = await importInstalled(files);
    expect(told).toEqual(expect.stringContaining(`provider package '${NAME}': `));
    expect(told).toEqual(expect.stringContaining(message));
    expect(told).not.toMatch(/\n/);
  });

  test('an import that does not end', async () => {
    const path = await tempFolder();
    await writePackage(join(path, 'node_modules', NAME), { code: 'await new Promise(() => undefined);' });
    const clock = new VirtualClock();
    const found = importDefinition(NAME, { path, program: '/nowhere', clock, taken: [] });
    const progress = { over: false };
    void found.finally(() => (progress.over = true));
    while (!progress.over) {
      await clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const outcome = await found;
    expect(outcome.tag === 'failed' && outcome.message).toMatch(/index.js did not end within 30 s$/);
  });
});

describe('names of packages', () => {
  test.each(['acme', '@acme/cdi-acme', 'a.b_c~d', '7zip'])('%s is one', (name) => {
    expect(isPackageName(name)).toBe(true);
  });

  test.each([
    '',
    '.',
    '..',
    '../x',
    '/etc',
    './x',
    '@acme',
    '@acme/',
    '@/x',
    '@acme/../x',
    '@acme/x/y',
    'x/y',
    'Acme',
    'a b',
    'x@1.0.0',
    'https://x',
    'file:x',
    'fs',
    'node:fs',
    'node_modules',
    'x\n',
    'x%2f',
    'a'.repeat(215),
  ])('%j is none', (name) => {
    expect(isPackageName(name)).toBe(false);
  });

  test('whatever is one stays below node_modules', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[@a-z0-9./~\\-]{0,12}$/)), (name) => {
        fc.pre(isPackageName(name));
        const folder = join('/x/node_modules', name);
        expect(folder.startsWith('/x/node_modules/')).toBe(true);
        expect(name).not.toMatch(/[\s:%\\]/);
      }),
    );
  });

  test('what is none is refused before anything is looked for', async () => {
    const options = { path: '/', program: '/', clock: systemClock, taken: [] };
    expect(await importDefinition('../../etc', options)).toMatchObject({
      message:
        "provider package '../../etc': that is no name of an npm package; accepted: name or @scope/name in lower case, without version or path",
    });
  });
});
