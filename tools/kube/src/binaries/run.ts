import { spawn } from 'node:child_process';
import type { Environment } from '../folders.ts';

/** How a program is run to its end. */
export interface Run {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  /** Is given what the program says on its standard error. */
  readonly tell: (text: string) => void;
}

/** Runs a program; answers what it printed, or rejects with its last line when it fails. */
export function run({ command, args, cwd, env, tell }: Run): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    let lastLine = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      lastLine = text.trimEnd().split('\n').at(-1) ?? lastLine;
      tell(text);
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`${command} ${args.join(' ')} ended with ${signal ?? `exit code ${code}`}: ${lastLine}`));
    });
  });
}
