import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Answered } from '../conformance/conversation.ts';
import { steadyLine } from './steady-line.ts';

/** What a command is given beside its arguments. */
export interface Given {
  /** What it reads: a manifest, as JSON. */
  readonly input?: object;
  readonly env?: Readonly<Record<string, string>>;
}

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Somebody at a terminal whose kubectl talks with one API server: what it prints is kept and compared. */
export class Terminal {
  readonly records: Answered[] = [];
  readonly #env: Readonly<Record<string, string | undefined>>;
  #asked = 0;

  /** `home` is a folder of its own, for what kubectl remembers of the server. */
  constructor(home: string, kubeconfigPath: string) {
    this.#env = { PATH: process.env['PATH'], HOME: home, KUBECONFIG: kubeconfigPath };
  }

  /** Runs kubectl to its end. */
  async kubectl(args: string, given: Given = {}): Promise<void> {
    const keep = this.#slot(args);
    keep(await this.#run(split(args), given));
  }

  /** Applies a manifest, as most people do. */
  apply(manifest: object, flags = ''): Promise<void> {
    return this.kubectl(`apply ${flags} -f -`, { input: manifest });
  }

  /** Runs a command that goes on by itself, and `meanwhile` once it has printed `first` lines; ends it after `last` lines. */
  async follow(args: string, first: number, meanwhile: () => Promise<void>, last: number): Promise<void> {
    const keep = this.#slot(args);
    const child = spawn('kubectl', split(args), { env: this.#env, stdio: ['ignore', 'pipe', 'inherit'] });
    const lines: string[] = [];
    const ended = new Promise((resolve) => child.once('close', resolve));
    try {
      const reader = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      const read = async (count: number) => {
        while (lines.length < count) {
          const next = await reader.next();
          if (next.done === true) return;
          lines.push(next.value);
        }
      };
      await read(first);
      await meanwhile();
      await read(last);
    } finally {
      child.kill();
      await ended;
    }
    keep({ code: 0, stdout: lines.join('\n'), stderr: '' });
  }

  /** Keeps the place of a command among the others, as some run side by side. */
  #slot(args: string): (ran: Ran) => void {
    const index = this.#asked;
    this.#asked += 1;
    return ({ code, stdout, stderr }) => {
      const body = { stdout: stdout.split('\n').map(steadyLine), stderr: stderr.split('\n').map(steadyLine) };
      this.records[index] = { asked: `kubectl ${args}`, status: code, headers: {}, body };
    };
  }

  #run(args: readonly string[], { input, env }: Given): Promise<Ran> {
    return new Promise((resolve, reject) => {
      const child = execFile('kubectl', args, { env: { ...this.#env, ...env } }, (error, stdout, stderr) => {
        if (error !== null && typeof error.code !== 'number') reject(error);
        else resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
      });
      child.stdin?.end(input === undefined ? '' : JSON.stringify(input));
    });
  }
}

/** Words, of which those in single quotes may hold spaces. */
function split(args: string): readonly string[] {
  return [...args.matchAll(/'([^']*)'|\S+/gu)].map(([word, quoted]) => quoted ?? word);
}
