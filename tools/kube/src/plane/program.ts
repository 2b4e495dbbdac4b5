import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { Clock } from '@cro/clock';
import type { Environment } from '../folders.ts';

/** How a program is started. */
export interface ProgramOptions {
  readonly name: string;
  readonly path: string;
  readonly args: readonly string[];
  /** What it writes is added to this file. */
  readonly logPath: string;
  /** Goes on when this process ends. Default false. */
  readonly detached?: boolean;
  /** Its whole environment. Default: that of this process. */
  readonly env?: Environment;
}

/** A program that was started. */
export interface Program {
  readonly name: string;
  readonly path: string;
  readonly pid: number;
  /** Rejects when it ends before it was asked to, with its last words. Never resolves. */
  readonly failed: Promise<never>;
  /** Asks it to end (SIGTERM), waits for that, and kills it when it takes longer than it may. Answers how it ended. */
  stop(clock: Clock, withinMs: number): Promise<string>;
  /** Ends it as a crash would (SIGKILL). */
  kill(): Promise<void>;
}

/** Starts a program. Rejects when it cannot be started at all. */
export function startProgram(options: ProgramOptions): Promise<Program> {
  const { name, path, args, logPath, detached = false, env } = options;
  const log = openSync(logPath, 'a', 0o600);
  const child = spawn(path, [...args], { detached, stdio: ['ignore', log, log], ...(env && { env }) });
  closeSync(log);
  let asked = false;
  // However this process ends, if it can still say so: nobody else would end what it started.
  const killWithUs = () => {
    child.kill('SIGKILL');
  };
  if (!detached) process.once('exit', killWithUs);
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      process.off('exit', killWithUs);
      resolve(signal ?? `exit code ${code}`);
    });
  });
  const failed = exited.then((how) => {
    if (asked) return new Promise<never>(() => undefined);
    throw new Error(`${name} ended by itself with ${how}; its last words in ${logPath}:\n${lastLines(logPath)}`);
  });
  // Whoever waits for it sees the error; nobody has to.
  failed.catch(() => undefined);
  const end = (signal: NodeJS.Signals) => {
    asked = true;
    child.kill(signal);
    return exited;
  };
  if (detached) child.unref();
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => {
      resolve({
        name,
        path,
        pid: child.pid ?? 0,
        failed,
        async stop(clock, withinMs) {
          const ending = end('SIGTERM');
          const cancel = clock.after(withinMs, () => child.kill('SIGKILL'));
          const how = await ending;
          cancel();
          return how;
        },
        async kill() {
          await end('SIGKILL');
        },
      });
    });
  });
}

function lastLines(path: string): string {
  return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-3).join('\n');
}
