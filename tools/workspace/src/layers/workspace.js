import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Sources that npm scripts run, relative to the root. */
function runBy(folder, { scripts = {} }) {
  const paths = Object.values(scripts).flatMap((command) => command.match(/[\w./-]+\/src\/[\w/-]+\.(?:ts|js)/gu) ?? []);
  return paths.map((path) => normalize(join(folder, path)));
}

/** Sources that other packages enter this one through, relative to the root. */
function exportedBy(folder, { exports = {} }) {
  const sources = Object.values(exports).map((target) => target['@cro/source']);
  return sources.filter((source) => source !== undefined).map((source) => normalize(join(folder, source)));
}

/**
 * Every package, app and tool below `root`: its folder (`packages/clock`), its name, and what its package.json declares.
 * `entries` are all the files of the workspace that something outside of its sources starts at.
 */
export function readWorkspace(root) {
  const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
  const files = globSync('{packages,apps,tools}/*/package.json', { cwd: root }).sort();
  const manifests = files.map((path) => ({ folder: dirname(path), manifest: read(path) }));
  const ci = globSync('.ci/run', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'));
  const starts = [
    { folder: '.', manifest: read('package.json') },
    { folder: '.', manifest: { scripts: ci } },
    ...manifests,
  ];
  return {
    members: manifests.map(({ folder, manifest }) => ({
      folder,
      name: manifest.name,
      dependencies: Object.keys(manifest.dependencies ?? {}),
      devDependencies: Object.keys(manifest.devDependencies ?? {}),
    })),
    entries: [
      ...starts.flatMap(({ folder, manifest }) => [...runBy(folder, manifest), ...exportedBy(folder, manifest)]),
      ...globSync('apps/*/src/main.ts', { cwd: root }),
      ...globSync('*.config.js', { cwd: root }),
    ],
  };
}
