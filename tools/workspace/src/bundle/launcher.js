/** Source of `dist/main.js`, which starts `dist/program.js`. */
export const LAUNCHER = `#!/usr/bin/env node
/*
 * Starts program.js with code that V8 compiled before, which the build puts into compiled/: compiling it anew takes a tenth of a
 * second and 13 MiB that are not given back. Another version of Node or another user of the system finds nothing there: Node then
 * compiles, and keeps what it compiled where it may write.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// The folder may be copied elsewhere after the build, into an image. As a variable: Node 22 knows no such option.
process.env['NODE_COMPILE_CACHE_PORTABLE'] = '1';
enableCompileCache(join(import.meta.dirname, 'compiled'));
await import('./program.js');
`;
