import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { noticesOf } from '../src/licenses.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'licenses-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

/** Installs a package; answers the path of its one source. */
function install(path: string, manifest: object, texts: Readonly<Record<string, string>> = {}): string {
  const folder = join(root, path);
  for (const [name, text] of Object.entries({
    ...texts,
    'package.json': JSON.stringify(manifest),
    'lib/index.js': '',
  })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return join(folder, 'lib/index.js');
}

it('passes on the texts of every package that is bundled, once, and of no other file', () => {
  const outer = install(
    'node_modules/outer',
    { name: 'outer', version: '1.0.0', license: 'MIT' },
    { LICENSE: 'Outer text' },
  );
  const inner = install(
    'node_modules/outer/node_modules/@scope/inner',
    { name: '@scope/inner', version: '2.0.0', license: '(GPL-3.0 OR Apache-2.0)' },
    { 'LICENSE.md': 'Inner text', NOTICE: 'Inner notice', 'README.md': 'Not this' },
  );
  const notices = noticesOf([outer, outer, inner, join(root, 'packages/ours/src/index.ts')]);
  expect(notices.split(`\n\n${'-'.repeat(80)}\n\n`)).toEqual([
    'outer 1.0.0 (MIT)\n\nOuter text',
    '@scope/inner 2.0.0 (GPL-3.0 or Apache-2.0)\n\nInner text\n\nInner notice\n',
  ]);
});

it.each([
  [{ license: 'GPL-3.0' }, /^bad: licence GPL-3.0 is none of MIT, /u],
  [{ license: { type: 'AGPL-3.0' } }, /^bad: licence AGPL-3.0 is none of MIT, /u],
  [{}, /^bad: licence unknown is none of MIT, /u],
])('refuses to bundle a package whose licence asks for more: %o', (license, message) => {
  const path = install('node_modules/bad', { name: 'bad', version: '1.0.0', ...license });
  expect(() => noticesOf([path])).toThrow(message);
});
