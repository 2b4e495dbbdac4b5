import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemClock } from '@cro/clock';
import { parseBenchArgs, type Args } from './args.ts';
import { report } from './report.ts';
import { runBenches } from './run.ts';
import { table } from './table.ts';

const { stdout, stderr } = process;

async function bench({ benches, quick, jsonPath, operatorFlags }: Args): Promise<number> {
  const startedAt = systemClock.now();
  const from = systemClock.monotonic();
  const directory = dirname(jsonPath);
  await mkdir(directory, { recursive: true });
  const results = await runBenches(benches, {
    clock: systemClock,
    random: Math.random,
    logDirectory: join(directory, `${basename(jsonPath, '.json')}-logs`),
    operatorFlags,
    quick,
    say: (text) => {
      stderr.write(`${((systemClock.monotonic() - from) / 1000).toFixed(1).padStart(7)} s  ${text}\n`);
    },
  });
  await writeFile(jsonPath, report(results, { startedAt, quick }));
  stdout.write(`\n${table(results.figures)}\nFigures as JSON: ${jsonPath}\n`);
  for (const { bench: name, reason } of results.failures) stdout.write(`FAILED ${name}: ${reason}\n`);
  return results.failures.length === 0 ? 0 : 1;
}

const outcome = parseBenchArgs(process.argv.slice(2));
switch (outcome.tag) {
  case 'print':
    stdout.write(outcome.text);
    break;
  case 'invalid':
    stderr.write(`bench: ${outcome.problem}\n`);
    process.exitCode = 2;
    break;
  case 'ok':
    process.exitCode = await bench(outcome.args);
    break;
  default:
    outcome satisfies never;
}
