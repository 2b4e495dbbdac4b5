import { systemClock } from '@cro/clock';
import { parseDemoArgs } from './args.ts';
import { runDemo } from './run.ts';
import { LiveView } from './view/live-view.ts';
import { plainView } from './view/plain-view.ts';

const { stdout, stderr } = process;
const outcome = parseDemoArgs(process.argv.slice(2), stdout.isTTY);
switch (outcome.tag) {
  case 'print':
    stdout.write(outcome.text);
    break;
  case 'invalid':
    stderr.write(`demo: ${outcome.problem}\n`);
    process.exitCode = 2;
    break;
  case 'ok': {
    const interrupt = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        interrupt.abort(new Error(signal));
      });
    }
    const view = stdout.isTTY ? new LiveView(systemClock, stdout) : plainView(systemClock, stdout);
    const host = { clock: systemClock, random: Math.random, view, interrupted: interrupt.signal };
    process.exitCode = await runDemo(outcome.args, host);
    break;
  }
  default:
    outcome satisfies never;
}
