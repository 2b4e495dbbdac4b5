import { mintAuthority, mintServing } from '@cro/webhook';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { caFileProblems } from '../../src/process/ca-files.ts';
import { readCertificate } from '../../src/process/certificate-files.ts';
import type { ServerCertificate } from '../../src/process/http/http-server.ts';
import { startMetricsServer } from '../../src/process/http/metrics-server.ts';
import { parseSettings } from '../../src/process/settings/parse-settings.ts';
import { matching } from './text-matchers.ts';

let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cro-certificates-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true });
});

async function localCertificate(): Promise<ServerCertificate> {
  const validity = { notBefore: Date.now() - 60_000, notAfter: Date.now() + 3_600_000 };
  const authority = await mintAuthority('test', validity);
  const { certificate, key } = await mintServing(['localhost'], authority, validity);
  return { cert: certificate + authority.certificate, key };
}

async function file(name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, text);
  return path;
}

function problems(env: Readonly<Record<string, string>>): readonly string[] {
  const outcome = parseSettings({
    DEVICE_RESOURCE_TYPE: 'DRA',
    CDI_PROVIDER_TYPE: 'FTI_CDI',
    FTI_CDI_API_TYPE: 'FM',
    FTI_CDI_ENDPOINT: 'fabric',
    FTI_CDI_TENANT_ID: 'tenant00-uuid-temp-0000-000000000000',
    ...env,
  });
  return outcome.tag === 'invalid' ? outcome.problems : caFileProblems(outcome.settings);
}

describe('CA files', () => {
  test('that are right, or not named, are no problem', async () => {
    const { cert } = await localCertificate();
    const path = await file('good.pem', `a comment\n${cert}`);
    expect(problems({})).toEqual([]);
    expect(problems({ CRO_FABRIC_CA_FILE: path, SSL_CERT_FILE: path })).toEqual([]);
  });

  test('that are wrong are told with the variable and the file', async () => {
    const empty = await file('empty.pem', '');
    const broken = await file('broken.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    expect(problems({ CRO_FABRIC_CA_FILE: empty, SSL_CERT_FILE: join(directory, 'no-such-file') })).toEqual([
      `the env variable CRO_FABRIC_CA_FILE names '${empty}': it holds no PEM certificate`,
      matching(/^the env variable SSL_CERT_FILE names '.*no-such-file': ENOENT/),
    ]);
    expect(problems({ CRO_FABRIC_CA_FILE: broken })).toHaveLength(1);
  });
});

describe('a mounted certificate', () => {
  test('is read, and must fit its key', async () => {
    const one = await localCertificate();
    const other = await localCertificate();
    await file('tls.crt', one.cert);
    await file('tls.key', one.key);
    expect(readCertificate(directory, '--metrics-cert-path')).toEqual({ tag: 'ok', certificate: one });
    await file('tls.key', other.key);
    expect(readCertificate(directory, '--metrics-cert-path')).toEqual({
      tag: 'invalid',
      problem: `--metrics-cert-path '${directory}': tls.key is not the key of tls.crt`,
    });
    expect(readCertificate('/no/such/directory', '--metrics-cert-path')).toMatchObject({ tag: 'invalid' });
  });
});

test('metrics are served over HTTPS when there is a certificate', async () => {
  const certificate = await localCertificate();
  const address = { host: '127.0.0.1', port: 0 };
  const outcome = await startMetricsServer({ address, certificate, registry: new Registry() });
  if (outcome.tag === 'failed') throw new Error(outcome.message);
  const { port, close } = outcome.server;
  const status = await new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: '/metrics',
      ca: certificate.cert,
      servername: 'localhost',
      agent: false,
    };
    request(options, (answer) => {
      answer.resume();
      answer.on('end', () => {
        resolve(answer.statusCode);
      });
    })
      .on('error', reject)
      .end();
  });
  expect(status).toBe(200);
  await close();
});
