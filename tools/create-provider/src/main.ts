import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { namesOf } from './names.ts';
import { isTaken, writeProject } from './project.ts';

const HELP = `Usage: npm create @cro/provider <name>

Writes a new project into a folder of that name: a provider for the composable resource operator, before a
simulated fabric, that passes the contract suite. Change it step by step into one for your fabric.

  <name>      of the npm package: name or @scope/name. The provider is called so too, without scope and "cdi-".
  -h, --help  Print this and stop.
`;

/** Where the program runs. */
export interface Place {
  /** The folder that the new one goes into. */
  readonly cwd: string;
  readonly print: (text: string) => void;
  /** For what is wrong, a line each. */
  readonly complain: (text: string) => void;
}

/** The program. Resolves with its exit code: 0, or 2 when nothing was written. */
export async function main(argv: readonly string[], { cwd, print, complain }: Place): Promise<number> {
  const refuse = (problem: string) => {
    complain(`create-provider: ${problem}; see --help\n`);
    return 2;
  };
  const parsed = argumentsOf(argv);
  if (typeof parsed === 'string') return refuse(parsed);
  if (parsed.help) {
    print(HELP);
    return 0;
  }
  const [name, ...more] = parsed.names;
  if (name === undefined || more.length > 0) return refuse(`it takes one name, and got ${parsed.names.length}`);
  const outcome = namesOf(name);
  if (outcome.tag === 'invalid') return refuse(outcome.problem);
  const folder = join(cwd, outcome.names.folder);
  if (await isTaken(folder)) return refuse(`${folder} is there already and not empty: nothing was written`);
  const files = await writeProject(folder, outcome.names);
  print(files.map((file) => `${join(outcome.names.folder, file)}\n`).join(''));
  print(`\nNext: cd ${outcome.names.folder} && npm install && npm run build && npm test\n`);
  return 0;
}

/** The arguments, or what is wrong with them. */
function argumentsOf(argv: readonly string[]): { readonly help: boolean; readonly names: readonly string[] } | string {
  try {
    const options = { help: { type: 'boolean', short: 'h', default: false } } as const;
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    return { help: values.help, names: positionals };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
