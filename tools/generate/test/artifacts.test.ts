import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crds } from '@cro/crd-types/crd';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { artifacts } from '../src/artifacts.ts';
import { stalePaths, writeArtifacts } from '../src/files.ts';

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'generate-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

test('every generated file of the repository is up to date', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  expect(stalePaths(artifacts, root), 'stale files: run `npm run generate`').toEqual([]);
});

test('no two artifacts share a path', () => {
  const paths = artifacts.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
});

test('writes what is missing or changed, and nothing else', () => {
  const root = emptyFolder();
  const files = [
    { path: 'a/one.txt', content: () => 'one\n' },
    { path: 'two.txt', content: () => 'two\n' },
  ];
  expect(writeArtifacts(files, root)).toEqual(['a/one.txt', 'two.txt']);
  expect(stalePaths(files, root)).toEqual([]);
  writeFileSync(join(root, 'two.txt'), 'edited by hand\n');
  expect(stalePaths(files, root)).toEqual(['two.txt']);
  expect(writeArtifacts(files, root)).toEqual(['two.txt']);
  expect(readFileSync(join(root, 'two.txt'), 'utf8')).toBe('two\n');
});

test('a CRD file holds the definition that the code makes', () => {
  const texts = artifacts.filter(({ path }) => path.startsWith('deploy/crd/')).map(({ content }) => content());
  expect(texts.map((text): unknown => parse(text, { schema: 'yaml-1.1' }))).toEqual(crds);
});
