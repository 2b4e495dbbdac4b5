import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const OPERATOR = fileURLToPath(new URL('../../../apps/operator/dist/main.js', import.meta.url));
const GOOD = {
  DEVICE_RESOURCE_TYPE: 'DRA',
  CDI_PROVIDER_TYPE: 'FTI_CDI',
  FTI_CDI_API_TYPE: 'FM',
  FTI_CDI_ENDPOINT: 'fabric.invalid',
  FTI_CDI_TENANT_ID: '00000000-3000-4000-8000-000000000000',
};

let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cro-bad-input-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

interface End {
  readonly code: unknown;
  readonly lines: readonly string[];
  readonly stdout: string;
}

/** Runs the operator's program to its end. */
function run(env: Readonly<Record<string, string>>, ...flags: readonly string[]): Promise<End> {
  const args = [OPERATOR, ...flags];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env: { ...env }, timeout: 30_000 }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, lines: stderr.split('\n').filter((line) => line !== ''), stdout });
    });
  });
}

/** A kubeconfig for a server that is never asked: the program ends before. */
async function kubeconfig(): Promise<string> {
  const path = join(directory, 'kubeconfig');
  const cluster = { server: 'https://127.0.0.1:1' };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user: { token: 't' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  await writeFile(path, JSON.stringify(config));
  return path;
}

describe(
  'an operator that cannot start says why, one line for each problem, and exits with 2',
  { timeout: 60_000 },
  () => {
    test('no settings at all, and a flag that it does not know', async () => {
      const { code, lines } = await run({}, '--no-such-flag=1');
      expect(code).toBe(2);
      expect(lines).toEqual([
        "composable-resource-operator: unknown option '--no-such-flag=1'; see --help",
        expect.stringContaining("the env variable DEVICE_RESOURCE_TYPE has an invalid value: ''; accepted: DRA"),
        expect.stringContaining("the env variable CDI_PROVIDER_TYPE has an invalid value: ''; accepted: FTI_CDI"),
      ]);
    });

    test('the Cluster Manager without the cluster that it manages', async () => {
      const { code, lines } = await run({ ...GOOD, FTI_CDI_API_TYPE: 'CM' });
      expect(code).toBe(2);
      expect(lines).toEqual([
        "composable-resource-operator: the env variable FTI_CDI_CLUSTER_ID has an invalid value: ''; accepted: a UUID, or nothing with FM",
      ]);
    });

    test('a file of CAs that is none', async () => {
      const file = join(directory, 'ca.pem');
      await writeFile(file, 'not a certificate');
      const { code, lines } = await run({ ...GOOD, CRO_FABRIC_CA_FILE: file });
      expect(code).toBe(2);
      expect(lines).toEqual([
        `composable-resource-operator: the env variable CRO_FABRIC_CA_FILE names '${file}': it holds no PEM certificate`,
      ]);
    });

    test('a kubeconfig that is not there', async () => {
      const { code, lines } = await run({ ...GOOD, KUBECONFIG: '/no/such/kubeconfig' });
      expect(code).toBe(2);
      expect(lines).toEqual([expect.stringContaining('/no/such/kubeconfig')]);
    });

    test('an address that is taken', async () => {
      const server = createServer();
      await new Promise<void>((resolve) => {
        server.listen(0, '127.0.0.1', resolve);
      });
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const env = { ...GOOD, KUBECONFIG: await kubeconfig() };
      const { code, lines } = await run(env, `--health-probe-bind-address=127.0.0.1:${port}`);
      server.close();
      expect(code).toBe(2);
      expect(lines).toEqual([expect.stringMatching(`cannot listen on 127\\.0\\.0\\.1:${port}: .*EADDRINUSE`)]);
    });
  },
);

test('--version and --help are printed, and the exit code is 0', { timeout: 60_000 }, async () => {
  expect(await run({}, '--version')).toMatchObject({ code: 0, stdout: '0.1.0\n', lines: [] });
  expect(await run({}, '--help')).toMatchObject({ code: 0, lines: [] });
});
