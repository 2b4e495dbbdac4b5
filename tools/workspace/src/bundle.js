// Bundles an app: run in its folder. One minified, tree-shaken file that needs no node_modules: `dist/main.js`.
import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { slimClientNode } from './bundle/slim-client-node.js';
import { noticesOf } from './licenses.js';

// CommonJS dependencies call `require` for Node's builtins, which an ES module does not have.
const banner = [
  '#!/usr/bin/env node',
  "import { createRequire as __croCreateRequire } from 'node:module';",
  'const require = __croCreateRequire(import.meta.url);',
].join('\n');

const { metafile } = await build({
  entryPoints: ['src/main.ts'],
  outfile: 'dist/main.js',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22',
  conditions: ['@cro/source'],
  minify: true,
  // Names of error classes show in logs.
  keepNames: true,
  treeShaking: true,
  sourcemap: 'external',
  legalComments: 'none',
  metafile: true,
  plugins: [slimClientNode],
  banner: { js: banner },
  logLevel: 'warning',
});
const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
writeFileSync('dist/third-party-notices.txt', noticesOf(used));
chmodSync('dist/main.js', 0o755);
console.log(`dist/main.js ${Math.ceil(statSync('dist/main.js').size / 1024)} KiB`);
