import { spawn, type ChildProcess } from 'node:child_process';
import type { Clock } from '@cro/clock';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** How to start one. */
export interface ProcessOptions {
  /** Arguments of Node: the program and its flags. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What it writes is added to this file. */
  readonly logPath: string;
  readonly clock: Clock;
  /** What takes longer to stop is stuck. */
  readonly stopWithinMs: number;
}

/** The operator in a process of its own. */
export interface OperatorProcess {
  readonly pid: number | undefined;
  readonly logPath: string;
  /** Resolves when it has ended, whatever the cause; rejects when it could not be started. */
  readonly exited: Promise<Exit>;
  /** True once `kill` or `stop` was called. */
  wasEnded(): boolean;
  /** Kills it as a crash would (SIGKILL) and waits for its end. */
  kill(): Promise<Exit>;
  /** Asks it to stop (SIGTERM) and waits for its end. Rejects, and kills it, when that takes longer than it may. */
  stop(): Promise<Exit>;
  /** The last lines of its log. */
  lastLines(count: number): readonly string[];
}

/** Starts the operator with the Node that runs this program. */
export function startProcess({ args, env, logPath, clock, stopWithinMs }: ProcessOptions): OperatorProcess {
  const log = openSync(logPath, 'a');
  const child = spawn(process.execPath, [...args], { env, stdio: ['ignore', log, log] });
  closeSync(log);
  const exited = exitOf(child);
  // Whoever waits for `exited` sees the error; nobody has to.
  exited.catch(() => undefined);
  let ended = false;
  const end = (signal: NodeJS.Signals) => {
    ended = true;
    child.kill(signal);
    return exited;
  };
  return {
    pid: child.pid,
    logPath,
    exited,
    wasEnded: () => ended,
    kill: () => end('SIGKILL'),
    async stop() {
      const stopping = end('SIGTERM');
      const cancel = clock.after(stopWithinMs, () => {
        child.kill('SIGKILL');
      });
      const exit = await stopping;
      cancel();
      if (exit.signal === 'SIGKILL') {
        throw new Error(`the operator did not stop within ${stopWithinMs / 1000} s of SIGTERM: see ${logPath}`);
      }
      return exit;
    },
    lastLines: (count) => readFileSync(logPath, 'utf8').trimEnd().split('\n').slice(-count),
  };
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      resolve({ code, signal });
    });
  });
}
