import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findGo } from '../src/binaries/find-go.ts';
import { cacheRoot } from '../src/folders.ts';
import { parseVersion, provide, type Version } from '../src/index.ts';

let folder: string;
const version = parseVersion('1.34.4') as Version;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cro-kube-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function program(path: string, text: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${text}\n`);
  await chmod(path, 0o755);
}

function from(env: Record<string, string>) {
  return provide({ version, env: { PATH: process.env['PATH'], ...env }, tell: () => undefined });
}

describe('KUBEBUILDER_ASSETS', () => {
  test('is used, and neither the cache nor Go', async () => {
    await program(join(folder, 'etcd'), 'exit 0');
    await program(join(folder, 'kube-apiserver'), 'echo Kubernetes v1.34.1');
    const binaries = { etcd: join(folder, 'etcd'), 'kube-apiserver': join(folder, 'kube-apiserver') };
    expect(await from({ KUBEBUILDER_ASSETS: folder, PATH: '' })).toEqual({ tag: 'ready', binaries });
  });

  test('is used for what it has, and the rest comes from the cache', async () => {
    const cached = join(folder, 'cro-kube/kubernetes-1.34.4');
    await mkdir(cached, { recursive: true });
    await program(join(folder, 'etcd'), 'exit 0');
    await program(join(folder, 'kube-apiserver'), 'echo Kubernetes v1.34.1');
    await program(join(folder, 'kube-scheduler'), 'exit 0');
    await program(join(cached, 'kube-controller-manager'), 'exit 0');
    const env = { KUBEBUILDER_ASSETS: folder, XDG_CACHE_HOME: folder, PATH: '' };
    expect(await provide({ version, controllers: true, env, tell: () => undefined })).toMatchObject({
      binaries: {
        'kube-controller-manager': join(cached, 'kube-controller-manager'),
        'kube-scheduler': join(folder, 'kube-scheduler'),
      },
    });
  });

  test('without a program is told', async () => {
    await program(join(folder, 'etcd'), 'exit 0');
    const message = `KUBEBUILDER_ASSETS is ${folder}, which holds no program kube-apiserver`;
    expect(await from({ KUBEBUILDER_ASSETS: folder })).toEqual({ tag: 'missing', message });
  });

  test('of another version is told', async () => {
    await program(join(folder, 'etcd'), 'exit 0');
    await program(join(folder, 'kube-apiserver'), 'echo Kubernetes v1.33.0');
    const message = `KUBEBUILDER_ASSETS is ${folder}, which holds "Kubernetes v1.33.0", and Kubernetes 1.34.4 was asked for`;
    expect(await from({ KUBEBUILDER_ASSETS: folder })).toEqual({ tag: 'missing', message });
  });
});

describe('the cache', () => {
  test('is outside of the repository', () => {
    expect(cacheRoot({ XDG_CACHE_HOME: '/a/cache', HOME: '/b' })).toBe('/a/cache/cro-kube');
    expect(cacheRoot({ HOME: '/b' })).toBe('/b/.cache/cro-kube');
    expect(cacheRoot({ XDG_CACHE_HOME: 'relative', HOME: '/b' })).toBe('/b/.cache/cro-kube');
    expect(() => cacheRoot({})).toThrow('neither XDG_CACHE_HOME nor HOME is set');
  });

  test('holds what was built before', async () => {
    const root = join(folder, 'cro-kube');
    for (const [at, name] of [
      ['etcd-3.6.16', 'etcd'],
      ['kubernetes-1.34.4', 'kube-apiserver'],
    ] as const) {
      await mkdir(join(root, at), { recursive: true });
      await program(join(root, at, name), 'exit 1');
    }
    expect(await from({ XDG_CACHE_HOME: folder })).toEqual({
      tag: 'ready',
      binaries: {
        etcd: join(root, 'etcd-3.6.16/etcd'),
        'kube-apiserver': join(root, 'kubernetes-1.34.4/kube-apiserver'),
      },
    });
  });

  test('a Go that fails is told in one line, and leaves no program behind', async () => {
    await program(join(folder, 'go'), 'echo no such module >&2; exit 1');
    const provided = await from({ XDG_CACHE_HOME: folder, PATH: `${folder}:${process.env['PATH'] ?? ''}` });
    expect(provided).toMatchObject({
      tag: 'missing',
      message: expect.stringMatching(/^etcd 3\.6\.16 could not be built: .*no such module$/) as string,
    });
  });
});

test('Go is found on the PATH', async () => {
  await program(join(folder, 'go'), 'exit 0');
  expect(findGo({ PATH: `relative:/nowhere:${folder}` })).toBe(join(folder, 'go'));
});
