import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BinaryName } from './binary.ts';

/** A Go file of a program. */
export interface Source {
  readonly name: string;
  readonly path: string;
}

const FOLDER = fileURLToPath(new URL('../../go', import.meta.url));

/** The module that brings the kubelet's streaming since it left k8s.io/kubelet. A go.mod either replaces it, or knows none. */
const STREAMING_MODULE = 'k8s.io/cri-streaming =>';
const STREAMS = { before: 'streams_kubelet.go', since: 'streams_cri_streaming.go' } as const;

/** The files that a program is built from, with the go.mod that it is built in. */
export async function sourcesOf(binary: BinaryName, goMod: string): Promise<readonly Source[]> {
  const other = goMod.includes(STREAMING_MODULE) ? STREAMS.before : STREAMS.since;
  return (await allSources(binary)).filter(({ name }) => name !== other);
}

/** Tells one state of a program's files from another. */
export async function digestOfSources(binary: BinaryName): Promise<string> {
  const hash = createHash('sha256');
  for (const { name, path } of await allSources(binary)) hash.update(`${name}\n`).update(await readFile(path));
  return hash.digest('hex').slice(0, 12);
}

async function allSources(binary: BinaryName): Promise<readonly Source[]> {
  const names = await readdir(join(FOLDER, binary));
  return names.sort().map((name) => ({ name, path: join(FOLDER, binary, name) }));
}
