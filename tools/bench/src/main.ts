import { cp, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@cro/clock';
import { parseBenchArgs, type Args } from './args.ts';
import { warmUp } from './benches/warm-up.ts';
import { cachedOrBuilt, provide, type Version } from '@cro/kube';
import type { RealPrograms } from './planes/real-plane.ts';
import { report } from './report.ts';
import { runBenches } from './run.ts';
import { table } from './table.ts';

const { stdout, stderr } = process;
const BUILT = fileURLToPath(new URL('../../../apps/operator/dist', import.meta.url));

/** The programs of the control plane that is asked for. Throws, in one line, when they are not there and cannot be built. */
async function programs(version: Version | undefined): Promise<{ readonly real?: RealPrograms }> {
  if (version === undefined) return {};
  const options = { version, env: process.env, tell: (text: string) => void stderr.write(text) };
  const provided = await provide(options);
  if (provided.tag === 'missing') throw new Error(provided.message);
  const kubelet = await cachedOrBuilt('fake-kubelet', options);
  if (kubelet.tag === 'missing') throw new Error(kubelet.message);
  return { real: { version, binaries: provided.binaries, fakeKubelet: kubelet.path } };
}

/** Exit codes of a program that a signal ends: 128 and its number. */
const BY_SIGNAL = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Aborts with the first of these signals. A second one ends the process as usual. */
function interruption(): { readonly signal: AbortSignal; readonly code: () => number | undefined } {
  const controller = new AbortController();
  let code: number | undefined;
  for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      code ??= BY_SIGNAL[name];
      controller.abort(new Error(`interrupted by ${name}`));
    });
  }
  return { signal: controller.signal, code: () => code };
}

async function bench({ benches, quick, jsonPath, operatorFlags, kube }: Args): Promise<number> {
  const startedAt = systemClock.now();
  const from = systemClock.monotonic();
  const directory = dirname(jsonPath);
  const logDirectory = resolve(directory, `${basename(jsonPath, '.json')}-logs`);
  await mkdir(logDirectory, { recursive: true });
  const program = join(logDirectory, 'operator');
  await cp(BUILT, program, { recursive: true });
  const interrupted = interruption();
  const results = await runBenches([warmUp, ...benches], {
    clock: systemClock,
    random: Math.random,
    operator: join(program, 'main.js'),
    logDirectory,
    operatorFlags,
    quick,
    ...(await programs(kube)),
    interrupted: interrupted.signal,
    say: (text) => {
      stderr.write(`${((systemClock.monotonic() - from) / 1000).toFixed(1).padStart(7)} s  ${text}\n`);
    },
  });
  await writeFile(jsonPath, report(results, { startedAt, quick, kube: kube?.text ?? 'simulated' }));
  stdout.write(`\n${table(results.figures)}\nFigures as JSON: ${jsonPath}\n`);
  for (const { bench: name, reason } of results.failures) stdout.write(`FAILED ${name}: ${reason}\n`);
  return interrupted.code() ?? (results.failures.length === 0 ? 0 : 1);
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
