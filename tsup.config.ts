import { readFileSync } from 'node:fs';
import { defineConfig } from 'tsup';

const SOURCE = '@cro/source';

/** The entries of a package are the sources of its `exports` and of its programs, so that they are written down once. */
function entriesOf(packageJson: string): string[] {
  const manifest: unknown = JSON.parse(readFileSync(packageJson, 'utf8'));
  if (!isObject(manifest)) return [];
  const { exports = {}, bin = {} } = manifest;
  const targets = isObject(exports) ? Object.values(exports) : [];
  const programs = isObject(bin) ? Object.values(bin) : [];
  return [
    ...targets.filter(isObject).flatMap(({ [SOURCE]: source }) => (typeof source === 'string' ? [source] : [])),
    ...programs.map((program) => String(program).replace(/^\.\/dist\/(.*)\.js$/, './src/$1.ts')),
  ];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export default defineConfig({
  entry: entriesOf('package.json'),
  format: 'esm',
  platform: 'node',
  target: 'node22',
  dts: true,
  clean: true,
  sourcemap: true,
});
