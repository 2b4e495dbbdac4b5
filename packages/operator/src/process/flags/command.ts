import { Command, Option } from 'commander';
import { helpAboutVariables } from '../settings/describe.ts';
import { DECLARED_FLAGS, type DeclaredFlag } from './declared-flags.ts';

/** What the program calls itself. */
export interface ProgramInfo {
  readonly name: string;
  readonly version: string;
}

/** A fresh commander program that prints nothing by itself: its text goes to `write`. */
export function command(program: ProgramInfo, write: (text: string) => void): Command {
  const result = new Command(program.name)
    .description('Moves devices between a PCIe/CXL fabric and the nodes of this cluster.')
    .version(program.version, '--version', 'Print the version and stop.')
    .helpOption('-h, --help', 'Print this and stop.')
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: () => undefined, getOutHelpWidth: () => 100 })
    .addHelpText('after', helpAboutVariables());
  for (const flag of DECLARED_FLAGS) result.addOption(option(flag));
  return result;
}

function option(flag: DeclaredFlag): Option {
  const value = flag.kind === 'switch' ? '[true|false]' : `<${flag.kind}>`;
  const made = new Option(`--${flag.name} ${value}`, flag.meaning);
  return flag.fallback === undefined ? made : made.default(flag.fallback);
}
