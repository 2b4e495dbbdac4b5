import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@cro/clock';
import { VirtualClock } from '@cro/clock/testing';
import { silentLog, type Log } from '@cro/kube-runtime';
import { expect, onTestFinished, test, vi } from 'vitest';
import { mintAuthority, mintServing } from '../src/certificates/mint.ts';
import { startWebhook, WEBHOOK_PATH, type Webhook } from '../src/index.ts';
import { request, reviewBody } from './support/requests.ts';
import { post } from './support/tls-client.ts';
import { soon } from './support/soon.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'webhook-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

async function pair(name: string, lifetimeMs = 3_600_000) {
  const now = systemClock.now();
  const validity = { notBefore: now - 60_000, notAfter: now + lifetimeMs };
  const authority = await mintAuthority(name, validity);
  return { ca: authority.certificate, ...(await mintServing(['127.0.0.1'], authority, validity)) };
}

/** Puts files into a mount as a kubelet does: a new folder, and one rename of the link to it. */
async function mount(path: string, version: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(join(path, version));
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, version, name), text);
  await symlink(version, join(path, '..data_tmp'));
  await rename(join(path, '..data_tmp'), join(path, '..data'));
}

async function start(
  directory: string,
  clock = new VirtualClock(systemClock.now()),
  log: Log = silentLog,
): Promise<Webhook> {
  const webhook = await startWebhook({
    ...{ clock, log, random: () => 0, host: '127.0.0.1', port: 0, listRequests: () => [request('other')] },
    certificates: { tag: 'mounted', directory },
  });
  onTestFinished(() => webhook.close());
  return webhook;
}

test('a renewal in the mount is served without a restart, and half a renewal is not', async () => {
  const directory = await folder();
  for (const name of ['tls.crt', 'tls.key']) await symlink(join('..data', name), join(directory, name));
  const first = await pair('first');
  const second = await pair('second');
  await mount(directory, '..1', { 'tls.crt': first.certificate, 'tls.key': first.key });
  const error = vi.fn();
  const webhook = await start(directory, undefined, { ...silentLog, error });
  const ask = (ca: string) =>
    post(webhook.port, ca, JSON.stringify(reviewBody('CREATE', request('new'))), { path: WEBHOOK_PATH });
  await soon(() => {
    expect(webhook.ready()).toBe(true);
  });
  const answer = JSON.parse((await ask(first.ca)).body) as { response: unknown };
  expect(answer.response).toMatchObject({ allowed: true });

  await mount(directory, '..2', { 'tls.crt': second.certificate, 'tls.key': first.key });
  await soon(() => {
    expect(error).toHaveBeenCalledWith('webhook certificate cannot be used', {
      message: `${join(directory, 'tls.key')}: is not the private key of ${join(directory, 'tls.crt')}`,
    });
  });
  expect((await ask(first.ca)).status).toBe(200);
  await mount(directory, '..3', { 'tls.crt': second.certificate, 'tls.key': second.key });
  await soon(async () => {
    expect((await ask(second.ca)).status).toBe(200);
  });
  await expect(ask(first.ca)).rejects.toThrow(/certificate/);
});

test('not ready while there is nothing to serve, and says why; looks again after a minute', async () => {
  const directory = join(await folder(), 'not-yet');
  const clock = new VirtualClock(systemClock.now());
  const webhook = await start(directory, clock);
  await soon(() => {
    expect(webhook.problem()).toContain(`open '${join(directory, 'tls.crt')}'`);
  });
  expect(webhook.ready()).toBe(false);
  const { certificate, key } = await pair('late');
  await mkdir(directory);
  await writeFile(join(directory, 'tls.crt'), certificate);
  await writeFile(join(directory, 'tls.key'), 'garbage');
  await clock.advance(60_000);
  await soon(() => {
    expect(webhook.problem()).toContain('tls.key: is not the private key of');
  });
  await writeFile(join(directory, 'tls.key'), key);
  await clock.advance(60_000);
  await soon(() => {
    expect(webhook.ready()).toBe(true);
  });
});

test('not ready any more when the certificate has expired', async () => {
  const directory = await folder();
  const { certificate, key } = await pair('short', 3_600_000);
  await writeFile(join(directory, 'tls.crt'), certificate);
  await writeFile(join(directory, 'tls.key'), key);
  const clock = new VirtualClock(systemClock.now());
  const webhook = await start(directory, clock);
  await soon(() => {
    expect(webhook.ready()).toBe(true);
  });
  await clock.advance(3_600_000);
  expect(webhook.problem()).toBe('the mounted certificate has expired');
});
