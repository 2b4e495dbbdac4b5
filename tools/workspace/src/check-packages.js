// Packs every publishable package and looks at the tarballs as strangers would: publint, are-the-types-wrong, and a real
// install into an empty folder, in which every entry is imported. Needs `npm run build` first. Prints `N passed, N failed`.
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const bin = (name) => join(import.meta.dirname, '../../../node_modules/.bin', name);
const results = [];

function run(command, args, cwd) {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Runs one check and notes how it ended; answers what it answers, or undefined when it failed. */
function check(what, action) {
  try {
    const answer = action();
    results.push(true);
    console.log(`ok   ${what}`);
    return answer;
  } catch (error) {
    results.push(false);
    console.error(
      `FAIL ${what}\n${error.stdout ?? ''}${error.stderr ?? ''}${error.stdout === undefined ? error.message : ''}`,
    );
    return undefined;
  }
}

function publishable(root) {
  return globSync('{packages,tools}/*/package.json', { cwd: root })
    .sort()
    .map((path) => ({
      folder: join(root, dirname(path)),
      manifest: JSON.parse(readFileSync(join(root, path), 'utf8')),
    }))
    .filter(({ manifest }) => manifest.private !== true);
}

function pack({ folder, manifest }, into) {
  const [{ filename, files }] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', into], folder));
  const packed = new Set(files.map(({ path }) => path));
  const promised = Object.values(manifest.exports).flatMap((target) =>
    typeof target === 'string' ? target : Object.values(target),
  );
  for (const path of [...promised, ...Object.values(manifest.bin ?? {}), 'README.md']) {
    if (!packed.has(path.replace(/^\.\//u, '')))
      throw new Error(`${manifest.name}: ${path} is not in the tarball; build first`);
  }
  return join(into, filename);
}

function entryNames({ name, exports }) {
  return Object.keys(exports)
    .filter((path) => !path.endsWith('.json'))
    .map((path) => name + path.slice(1));
}

function checkTarballs(packages, folder) {
  return packages.flatMap((each) => {
    const { name } = each.manifest;
    const tarball = check(`${name}: npm pack`, () => pack(each, folder));
    if (tarball === undefined) return [];
    check(`${name}: publint`, () => run(bin('publint'), ['run', tarball, '--strict'], folder));
    check(`${name}: are the types wrong`, () =>
      run(bin('attw'), [tarball, '--profile', 'esm-only', '--no-color'], folder),
    );
    return [tarball];
  });
}

/** Imports each entry of the installed packages in a Node of its own, without the workspace and its conditions. */
function checkInstalled(packages, tarballs, folder) {
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const args = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', ...tarballs];
  if (check('all: npm install of the tarballs', () => run('npm', args, folder)) === undefined) return;
  for (const name of packages.flatMap(({ manifest }) => entryNames(manifest))) {
    check(`${name}: import`, () =>
      run(process.execPath, ['--input-type=module', '--eval', `await import('${name}')`], folder),
    );
  }
}

const folder = mkdtempSync(join(tmpdir(), 'packages-'));
try {
  const packages = publishable(join(import.meta.dirname, '../../..'));
  const tarballs = checkTarballs(packages, folder);
  if (tarballs.length === packages.length) checkInstalled(packages, tarballs, folder);
} finally {
  rmSync(folder, { recursive: true });
}
const failed = results.filter((passed) => !passed).length;
console.log(`${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
