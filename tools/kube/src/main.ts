import { systemClock } from '@cro/clock';
import { parseKubeArgs } from './cli/args.ts';
import { perform } from './cli/commands.ts';

const { stdout, stderr, env } = process;
const args = parseKubeArgs(process.argv.slice(2));
switch (args.tag) {
  case 'print':
    stdout.write(args.text);
    break;
  case 'invalid':
    stderr.write(`kube: ${args.problem}\n`);
    process.exitCode = 2;
    break;
  case 'ok': {
    const problem = await perform(args.command, {
      version: args.version,
      env,
      clock: systemClock,
      print: (text) => void stdout.write(text),
      tell: (text) => void stderr.write(text),
    });
    if (problem !== undefined) {
      stderr.write(`kube: ${problem}\n`);
      process.exitCode = 1;
    }
    break;
  }
  default:
    args satisfies never;
}
