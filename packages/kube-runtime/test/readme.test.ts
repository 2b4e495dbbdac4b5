import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { VirtualClock } from '@cro/clock/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Transport } from '../src/index.ts';
import { inProcessTransport } from '../src/testing.ts';
import { seeded } from './support/random.ts';
import { TinyServer } from './support/tiny-server.ts';

const packageFolder = join(import.meta.dirname, '..');
let folder: string;
let example: string;

beforeAll(async () => {
  folder = await mkdtemp(join(packageFolder, 'test', 'readme-'));
  const readme = await readFile(join(packageFolder, 'README.md'), 'utf8');
  example = join(folder, 'example.ts');
  await writeFile(example, /```ts\n(.*?)```/s.exec(readme)?.[1] ?? '');
});

afterAll(() => rm(folder, { recursive: true }));

it('the example of the README compiles', async () => {
  const config = join(folder, 'tsconfig.json');
  await writeFile(config, JSON.stringify({ extends: '../../tsconfig.json', include: ['example.ts'] }));
  const tsc = join(packageFolder, '../../node_modules/typescript/bin/tsc');
  await expect(promisify(execFile)(process.execPath, [tsc, '-p', config])).resolves.toMatchObject({ stdout: '' });
});

it('the example of the README runs', async () => {
  const module = (await import(example)) as {
    run(transport: Transport, clock: VirtualClock, random: () => number, signal: AbortSignal): unknown;
  };
  const server = new TinyServer(['lamps']);
  const clock = new VirtualClock();
  const stop = new AbortController();
  module.run(inProcessTransport(server.handle), clock, seeded(1), stop.signal);
  server.history.create('lamps', 'hall', { metadata: { name: 'l' }, ...{ spec: { on: true } } });
  await clock.advance(1_000);
  expect(server.history.get('lamps', 'hall', 'l')).toMatchObject({ status: { lit: true } });
  expect(server.requests.filter((request) => request.method === 'PATCH')).toHaveLength(1);
  stop.abort();
});
