import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKubeSim, type ExecScript, type KubeSim, serve, type Serving } from '../../src/index.ts';
import { expect } from 'vitest';
import { seeded, widget, widgetCrd } from '../fixtures.ts';

/** What a run of kubectl came to. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A server on a socket, and the real kubectl pointed at it. */
export interface Cluster {
  readonly sim: KubeSim;
  readonly serving: Serving;
  /** Runs kubectl to its end. */
  kubectl(
    args: readonly string[],
    options?: { readonly input?: string; readonly env?: Record<string, string> },
  ): Promise<Ran>;
  /** Starts kubectl and calls `onLine` for each line that it prints; the result stops it. */
  follow(args: readonly string[], onLine: (line: string) => void): () => Promise<void>;
  stop(): Promise<void>;
}

const clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (delayMs: number, callback: () => void) => {
    const timer = setTimeout(callback, Math.min(delayMs, 2 ** 31 - 1));
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Starts a cluster. */
export async function startCluster(): Promise<Cluster> {
  const home = mkdtempSync(join(tmpdir(), 'kube-sim-'));
  const sim = createKubeSim({ clock, random: seeded(7), crds: [widgetCrd], exec });
  furnish(sim);
  const serving = await serve(sim);
  const file = join(home, 'kubeconfig');
  writeFileSync(file, serving.kubeconfig, { mode: 0o600 });
  const env = { PATH: process.env['PATH'], HOME: home, KUBECONFIG: file };
  const kubectl: Cluster['kubectl'] = (args, options = {}) =>
    new Promise((resolve, reject) => {
      const child = execFile('kubectl', args, { env: { ...env, ...options.env } }, (error, stdout, stderr) => {
        if (error !== null && typeof error.code !== 'number') reject(error);
        else resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
      });
      child.stdin?.end(options.input ?? '');
    });
  return {
    sim,
    serving,
    kubectl,
    follow: (args, onLine) => {
      const child = spawn('kubectl', args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
      let rest = '';
      child.stdout.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString()).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) onLine(line);
      });
      return () =>
        new Promise((resolve) => {
          child.once('close', () => {
            resolve();
          });
          child.kill();
        });
    },
    stop: async () => {
      await serving.close();
      rmSync(home, { recursive: true });
    },
  };
}

/** Says its command, then its input; `fail` ends with 3. */
const exec: ExecScript = async ({ command }, io) => {
  io.stdout(`${command.join(' ')}\n`);
  if (io.stdin !== undefined) for await (const chunk of io.stdin) io.stdout(chunk);
  return command[0] === 'fail' ? 3 : 0;
};

/** One node, and one pod on it. */
function furnish(sim: KubeSim): void {
  const status = { conditions: [{ type: 'Ready', status: 'True' }], nodeInfo: { kubeletVersion: 'v1.34.0' } };
  sim.objects.put({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' }, status });
  const spec = { nodeName: 'n1', containers: [{ name: 'main', image: 'x' }] };
  sim.objects.put({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec, status: { phase: 'Running' } });
}

/** Short ways to run kubectl in a test. */
export function createAssistant(cluster: () => Cluster) {
  const kubectl: Cluster['kubectl'] = (args, options) => cluster().kubectl(args, options);
  const yaml = (spec: object, name = 'a') => JSON.stringify(widget(name, spec));
  return {
    kubectl,
    /** A manifest of a Widget. */
    yaml,
    /** Runs kubectl, which must succeed; answers what it printed. */
    ok: async (args: readonly string[], options?: Parameters<Cluster['kubectl']>[1]) => {
      const ran = await kubectl(args, options);
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      return ran.stdout;
    },
    /** Applies a Widget. */
    apply: (spec: object, name?: string, ...flags: string[]) =>
      kubectl(['apply', ...flags, '-f', '-'], { input: yaml(spec, name) }),
  };
}

/** Lets other work go on until `condition` holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
