import { parseArgs } from 'node:util';
import { FABRIC_NAMES, isFabricName, type FabricName } from './world/fabrics.ts';

/** What the command line decides. */
export interface Args {
  /** Which fabric the story plays on. */
  readonly fabric: FabricName;
  /** The fabric works this many times faster than in the plain story. */
  readonly speed: number;
  /** Stay up after the story until Ctrl-C. */
  readonly stay: boolean;
  /** Leave the folder with the operator's log behind. */
  readonly keep: boolean;
}

/** The arguments; or a text to print; or what is wrong, in a line. */
export type ArgsOutcome =
  | { readonly tag: 'ok'; readonly args: Args }
  | { readonly tag: 'print'; readonly text: string }
  | { readonly tag: 'invalid'; readonly problem: string };

const HELP = `Usage: npm start [-- options]

Brings up a control plane, a fabric with eight A100 and three nodes, all simulated on this machine, starts the operator
against them, and tells the story of one request: two devices, three, a refused one, one, a killed operator, none.

Options:
  --fabric <f>  The fabric: ${FABRIC_NAMES.join(', ')}. Default: fm.
  --speed <n>   The fabric works n times faster (0.1 to 100). Default: 1.
  --stay        Stay up after the story, for kubectl, until Ctrl-C. Default on a terminal.
  --no-stay     Leave after the story. Default without a terminal.
  --keep        Keep the folder with the operator's log.
  --help        Print this and stop.

Exit code: 0 when the story came out right, 1 when not, 2 for wrong arguments.
`;

const OPTIONS = {
  fabric: { type: 'string', default: 'fm' },
  speed: { type: 'string', default: '1' },
  stay: { type: 'boolean' },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Reads the arguments that follow the script's name. */
export function parseDemoArgs(argv: readonly string[], onTerminal: boolean): ArgsOutcome {
  try {
    const { values } = parseArgs({ args: [...argv], options: OPTIONS, allowNegative: true });
    if (values.help) return { tag: 'print', text: HELP };
    const speed = Number(values.speed);
    if (!(speed >= 0.1 && speed <= 100)) {
      return { tag: 'invalid', problem: `--speed is '${values.speed}'; accepted: a number from 0.1 to 100` };
    }
    const { fabric } = values;
    if (!isFabricName(fabric)) {
      return { tag: 'invalid', problem: `--fabric is '${fabric}'; accepted: ${FABRIC_NAMES.join(', ')}` };
    }
    return { tag: 'ok', args: { fabric, speed, stay: values.stay ?? onTerminal, keep: values.keep } };
  } catch (error) {
    // node:util reports a wrong option by throwing; its messages are one line, but for a hint after the first period.
    return { tag: 'invalid', problem: `${error instanceof Error ? error.message : String(error)}; see --help` };
  }
}
