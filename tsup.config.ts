import { readFileSync } from 'node:fs';
import { defineConfig } from 'tsup';

const SOURCE = '@cro/source';

/** The entries of a package are the sources that its `exports` name, so that they are written down once. */
function entriesOf(packageJson: string): string[] {
  const manifest: unknown = JSON.parse(readFileSync(packageJson, 'utf8'));
  const targets = isObject(manifest) && isObject(manifest['exports']) ? Object.values(manifest['exports']) : [];
  return targets.filter(isObject).flatMap(({ [SOURCE]: source }) => (typeof source === 'string' ? [source] : []));
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
