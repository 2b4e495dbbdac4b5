import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { artifacts } from './artifacts.ts';
import { stalePaths, writeArtifacts } from './files.ts';

const USAGE = `Usage: npm run generate [-- --check]

Writes the files of this repository that are derived from code.
  --check   write nothing; fail when a file is missing or stale
`;

const root = fileURLToPath(new URL('../../../', import.meta.url));

function main(args: readonly string[]): number {
  const { values } = parseArgs({ args: [...args], options: { check: { type: 'boolean' }, help: { type: 'boolean' } } });
  if (values.help === true) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (values.check === true) {
    const stale = stalePaths(artifacts, root);
    for (const path of stale) process.stderr.write(`${path} is stale: run \`npm run generate\`\n`);
    return stale.length === 0 ? 0 : 1;
  }
  for (const path of writeArtifacts(artifacts, root)) process.stdout.write(`wrote ${path}\n`);
  return 0;
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  process.exitCode = 2;
}
