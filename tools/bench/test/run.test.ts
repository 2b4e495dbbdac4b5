import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@cro/clock';
import { afterAll, expect, test } from 'vitest';
import { exactly, Figures } from '../src/figure.ts';
import { report } from '../src/report.ts';
import { runBenches } from '../src/run.ts';

const directory = mkdtempSync(join(tmpdir(), 'cro-bench-'));
afterAll(() => {
  rmSync(directory, { recursive: true });
});

interface Report {
  readonly figures: readonly { readonly work: string; readonly name: string; readonly value: number }[];
  readonly failures: readonly unknown[];
}

interface Run {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What it has to say before it gets a SIGTERM. */
  readonly endAfter?: string;
}

function bench({ args, env: more, endAfter }: Run): Promise<{ code: number | string; stdout: string; stderr: string }> {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  return new Promise((resolve) => {
    // Colours are forced and forbidden by who runs tests; Node warns of both at once, on the stream that is looked at here.
    const { FORCE_COLOR: _force, NO_COLOR: _no, ...env } = process.env;
    const argv = ['--conditions=@cro/source', main, ...args];
    const child = execFile(process.execPath, argv, { env: { ...env, ...more } }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? error?.signal ?? 0, stdout, stderr });
    });
    let said = '';
    child.stderr?.on('data', (text: string) => {
      const before = said;
      said += text;
      // Once: a second signal ends it at once.
      if (endAfter !== undefined && said.includes(endAfter) && !before.includes(endAfter)) child.kill('SIGTERM');
    });
  });
}

test('the smallest case runs end to end with the built operator, and counts right', async () => {
  const json = join(directory, 'small.json');
  const { code, stdout, stderr } = await bench({ args: ['--quick', '--only', 'give-back,steady', '--json', json] });
  expect(stderr).not.toContain('failed');
  expect(code).toBe(0);
  const { figures, failures }: Report = JSON.parse(readFileSync(json, 'utf8')) as Report;
  expect(failures).toEqual([]);
  const value = (work: string, name: string) =>
    figures.find((figure) => figure.work.startsWith(work) && figure.name === name)?.value;
  const there = '8 devices asked for at once by 2 requests';
  expect(value(there, 'attach calls a device')).toBe(1);
  expect(value(there, 'token calls')).toBe(1);
  // A child: created, ticket, Online; a request: finalizer, plan, Running, its event.
  expect(value(there, 'API writes a device')).toBeGreaterThanOrEqual(3);
  const back = '8 devices given back at once by 2 requests';
  expect(value(back, 'detach calls a device')).toBe(1);
  // Nobody knew whether the nodes have a driver; a device that goes is quiesced and removed, and looked at before, with others or alone.
  expect(value(there, 'execs a device')).toBeGreaterThan(0);
  expect(value(there, 'execs a device')).toBeLessThanOrEqual(2);
  expect(value(back, 'execs a device')).toBeGreaterThan(2);
  expect(value(back, 'execs a device')).toBeLessThanOrEqual(3);
  const rest = '20 devices Online on 2 machines';
  // The event that it leads.
  expect(value(rest, 'start: API writes (the event that it leads)')).toBe(1);
  expect(value(rest, 'API writes in the minute')).toBe(0);
  expect(value(rest, 'token calls in the minute')).toBe(0);
  expect(value(rest, 'memory (VmRSS) after the minute')).toBeGreaterThan(20);
  expect(value(rest, 'longest stall of the event loop')).toBeGreaterThan(0);
  expect(stdout).toContain('API writes in the minute');
  expect(readdirSync(join(directory, 'small-logs')).sort()).toEqual([
    'give-back.operator.log',
    'operator',
    'rest-20.operator.log',
    'warm-up.operator.log',
  ]);
});

test('a benchmark that is interrupted stops what it started, and the next ones do not run', async () => {
  // A world's folder is removed when everything in it has been stopped.
  const worlds = mkdtempSync(join(directory, 'worlds-'));
  const args = ['--only', 'machines,crash', '--quick', '--json', join(directory, 'interrupted.json')];
  const { code, stdout, stderr } = await bench({
    args,
    env: { TMPDIR: worlds },
    endAfter: 'asked for at once',
  });
  expect(code).toBe(143);
  expect(stdout).toContain('FAILED machines: interrupted by SIGTERM');
  expect(stderr).not.toContain('== crash');
  expect(readdirSync(worlds)).toEqual([]);
});

test('wrong arguments are told in a line', async () => {
  const { code, stderr } = await bench({ args: ['--only', 'nothing'] });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^bench: --only names 'nothing'; accepted: [^\n]+\n$/);
});

test('a benchmark that fails is told, and the others run all the same', async () => {
  const said: string[] = [];
  const host = {
    clock: systemClock,
    random: Math.random,
    operator: 'none',
    logDirectory: directory,
    operatorFlags: [],
    quick: true,
    interrupted: new AbortController().signal,
    say: (text: string) => said.push(text),
  };
  const good = new Figures('work').add('leaks', 1, 'count', exactly(0)).all;
  const results = await runBenches(
    [
      { name: 'bad', title: 'bad', run: () => Promise.reject(new Error('2 devices lost')) },
      { name: 'good', title: 'good', run: () => Promise.resolve(good) },
    ],
    host,
  );
  expect(results).toEqual({ figures: good, failures: [{ bench: 'bad', reason: '2 devices lost' }] });
  expect(said).toEqual(['== bad: bad', 'failed: 2 devices lost', '== good: good']);
  const written: unknown = JSON.parse(report(results, { startedAt: 0, quick: true, kube: 'simulated' }));
  expect(written).toMatchObject({
    startedAt: '1970-01-01T00:00:00.000Z',
    figures: [{ name: 'leaks', value: 1, goal: { tag: 'exactly', value: 0 }, verdict: 'MISSED' }],
    failures: [{ bench: 'bad', reason: '2 devices lost' }],
  });
});
