import { readFileSync } from 'node:fs';
import { defineConfig } from 'tsup';

/** The entries of a package are the sources that its `exports` name, so that they are written down once. */
function entriesOf(packageJson: string): string[] {
  const { exports } = JSON.parse(readFileSync(packageJson, 'utf8')) as { exports: Record<string, unknown> };
  return Object.values(exports).flatMap((target) =>
    typeof target === 'object' && target !== null && '@cro/source' in target ? [String(target['@cro/source'])] : [],
  );
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
