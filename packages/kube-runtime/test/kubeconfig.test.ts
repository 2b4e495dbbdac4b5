import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VirtualClock } from '@cro/clock/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KubeClient } from '../src/index.ts';
import { loadCluster } from '../src/kubeconfig.ts';
import { authority } from './support/certificates.ts';
import { tlsServer } from './support/tls-server.ts';
import { widgets } from './support/widget.ts';

interface Parts {
  readonly cluster?: object;
  readonly user?: object;
  readonly context?: object;
}

let folder: string;
let server: Awaited<ReturnType<typeof tlsServer>>;
let caFile: string;
const authorizations: (string | undefined)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
  const ca = await authority('test');
  caFile = join(folder, 'ca.crt');
  await writeFile(caFile, ca.cert);
  server = await tlsServer(await ca.issue('server'), (request, response) => {
    authorizations.push(request.headers.authorization);
    response.statusCode = request.headers.authorization === 'Bearer refused' ? 401 : 404;
    response.end('{}');
  });
});

afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** Writes a kubeconfig (JSON is YAML) and loads it. */
async function load(name: string, { cluster = {}, user = {}, context = {} }: Parts, clock = new VirtualClock()) {
  const file = join(folder, name);
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'here',
    clusters: [{ name: 'c', cluster: { server: server.url.origin, 'certificate-authority': 'ca.crt', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u', ...context } }],
  };
  await writeFile(file, JSON.stringify(config));
  return loadCluster({ clock, kubeconfig: file });
}

async function loaded(name: string, parts: Parts, clock = new VirtualClock()) {
  const result = await load(name, parts, clock);
  if (result.tag !== 'loaded') throw new Error(result.message);
  return result.cluster;
}

describe('loadCluster', () => {
  it('gives a transport with the right CA, the token and the namespace', async () => {
    const cluster = await loaded('good', { user: { token: 'secret' }, context: { namespace: 'team' } });
    expect(cluster.namespace).toBe('team');
    const client = new KubeClient({ transport: cluster.transport, clock: new VirtualClock(), random: () => 0.5 });
    expect(await client.get(widgets, { name: 'a', namespace: 'b' })).toMatchObject({ tag: 'notFound' });
    expect(authorizations.at(-1)).toBe('Bearer secret');
    cluster.transport.close();
  });

  it('reads a token file again as time passes, and at once after a 401', async () => {
    const clock = new VirtualClock();
    const tokenFile = join(folder, 'token');
    await writeFile(tokenFile, 'one\n');
    const cluster = await loaded(
      'file',
      { user: { 'auth-provider': { name: 'tokenFile', config: { tokenFile } } } },
      clock,
    );
    const client = new KubeClient({ transport: cluster.transport, clock, random: () => 0.5 });
    const use = () => client.get(widgets, { name: 'a', namespace: 'b' });
    await use();
    await writeFile(tokenFile, 'two\n');
    await use();
    expect(authorizations.slice(-2)).toEqual(['Bearer one', 'Bearer one']);
    await clock.advance(30_000);
    await use();
    expect(authorizations.at(-1)).toBe('Bearer two');
    await writeFile(tokenFile, 'refused\n');
    await clock.advance(30_000);
    await use();
    await writeFile(tokenFile, 'three\n');
    await use();
    expect(authorizations.slice(-2)).toEqual(['Bearer refused', 'Bearer three']);
    cluster.transport.close();
  });

  it.each([
    [
      'skips the check of certificates',
      { cluster: { 'insecure-skip-tls-verify': true } },
      'insecure-skip-tls-verify is true',
    ],
    [
      'is not encrypted',
      { cluster: { server: 'http://127.0.0.1:8080' } },
      'server is "http://127.0.0.1:8080"; accepted is an https URL',
    ],
    ['has no address', { cluster: { server: 'nonsense' } }, 'server is "nonsense"'],
    ['needs a proxy', { cluster: { 'proxy-url': 'http://proxy' } }, 'proxy-url is set'],
    ['names no cluster', { context: { cluster: 'other' } }, 'current-context is "here"'],
    ['names no user', { context: { user: 'other' } }, 'has to name a user'],
  ])('refuses a kubeconfig that %s', async (name, parts, message) => {
    const result = await load(name.replaceAll(' ', '-'), parts);
    expect(result).toMatchObject({ tag: 'invalid' });
    expect(result.tag === 'invalid' && result.message).toContain(message);
  });

  it('says that a file is missing or broken, without printing what stands in it', async () => {
    const clock = new VirtualClock();
    const missing = loadCluster({ clock, kubeconfig: join(folder, 'missing') });
    expect(missing.tag === 'invalid' && missing.message).toMatch(/missing cannot be read: ENOENT/);
    const file = join(folder, 'broken');
    await writeFile(file, 'users:\n- user: {token: hunter2\n');
    const broken = loadCluster({ clock, kubeconfig: file });
    expect(broken.tag === 'invalid' && broken.message).toContain('broken cannot be read');
    expect(broken.tag === 'invalid' && broken.message).not.toContain('hunter2');
  });
});
