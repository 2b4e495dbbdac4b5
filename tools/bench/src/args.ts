import { parseArgs } from 'node:util';
import { parseVersion, PROVEN, type Version } from '@cro/kube';
import { BENCHES } from './benches/all.ts';
import type { Bench } from './benches/bench.ts';

/** What the command line decides. */
export interface Args {
  readonly benches: readonly Bench[];
  readonly quick: boolean;
  /** On a real control plane of this version; absent: on a simulated one. */
  readonly kube?: Version;
  /** Where the figures are kept. */
  readonly jsonPath: string;
  /** Flags of Node for the operator's process. */
  readonly operatorFlags: readonly string[];
}

/** The arguments; or a text to print; or what is wrong, in a line. */
export type ArgsOutcome =
  | { readonly tag: 'ok'; readonly args: Args }
  | { readonly tag: 'print'; readonly text: string }
  | { readonly tag: 'invalid'; readonly problem: string };

const HELP = `Usage: npm run bench [-- options]

Runs the built operator against a simulated cluster and fabric, and prints what it counted, with the goals beside it.

Options:
  --only <name,...>        Run these only: ${BENCHES.map(({ name }) => name).join(', ')}.
  --kube                   On a real control plane (tools/kube), not on a simulated one.
  --version <version>      Its version, with --kube. Default: ${PROVEN[0]}.
  --quick                  Small numbers, to see that all of it works; the times then say little.
  --json <file>            Where the figures are kept. Default: bench-results/latest.json. Logs of the operator go beside it.
  --operator-flag <flag>   A flag of Node for the operator, such as --operator-flag=--cpu-prof. May be repeated.
  --help                   Print this and stop.

Benchmarks:
${BENCHES.map(({ name, title }) => `  ${name.padEnd(10)} ${title}`).join('\n')}

Exit code: 0 when everything ran and came out right, whatever the figures; 1 when not; 2 for wrong arguments.
`;

const OPTIONS = {
  only: { type: 'string' },
  quick: { type: 'boolean', default: false },
  kube: { type: 'boolean', default: false },
  version: { type: 'string' },
  json: { type: 'string', default: 'bench-results/latest.json' },
  'operator-flag': { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Reads the arguments that follow the script's name. */
export function parseBenchArgs(argv: readonly string[]): ArgsOutcome {
  try {
    const { values } = parseArgs({ args: [...argv], options: OPTIONS });
    if (values.help) return { tag: 'print', text: HELP };
    const names = values.only?.split(',') ?? BENCHES.map(({ name }) => name);
    const unknown = names.find((name) => !BENCHES.some((bench) => bench.name === name));
    if (unknown !== undefined) {
      const known = BENCHES.map(({ name }) => name).join(', ');
      return { tag: 'invalid', problem: `--only names '${unknown}'; accepted: ${known}` };
    }
    const benches = BENCHES.filter(({ name }) => names.includes(name));
    const { quick, json: jsonPath, 'operator-flag': operatorFlags = [] } = values;
    const kube = values.kube ? parseVersion(values.version ?? PROVEN[0]) : undefined;
    if (values.version !== undefined && kube === undefined) {
      const problem = `--version is '${values.version}'; accepted: a release like ${PROVEN[0]}, with --kube`;
      return { tag: 'invalid', problem };
    }
    return { tag: 'ok', args: { benches, quick, jsonPath, operatorFlags, ...(kube !== undefined && { kube }) } };
  } catch (error) {
    // node:util reports a wrong option by throwing; its messages are one line, but for a hint after the first period.
    return { tag: 'invalid', problem: `${error instanceof Error ? error.message : String(error)}; see --help` };
  }
}
