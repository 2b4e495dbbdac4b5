// Bundles an app: run in its folder. `dist/program.js` is one minified, tree-shaken file that needs no node_modules;
// `dist/main.js` starts it with the compiled code that `dist/compiled` holds.
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { LAUNCHER } from './bundle/launcher.js';
import { slimClientNode } from './bundle/slim-client-node.js';
import { noticesOf } from './licenses.js';

// CommonJS dependencies call `require` for Node's builtins, which an ES module does not have.
const banner = [
  "import { createRequire as __croCreateRequire } from 'node:module';",
  'const require = __croCreateRequire(import.meta.url);',
].join('\n');

const { metafile } = await build({
  entryPoints: ['src/main.ts'],
  outfile: 'dist/program.js',
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

writeFileSync('dist/main.js', LAUNCHER);
chmodSync('dist/main.js', 0o755);
// Where the folder is copied to, nothing else would say that these are ES modules.
writeFileSync('dist/package.json', '{ "type": "module" }\n');
rmSync('dist/compiled', { recursive: true, force: true });
execFileSync(process.execPath, ['dist/main.js', '--help']);
console.log(`dist/program.js ${Math.ceil(statSync('dist/program.js').size / 1024)} KiB`);
