import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cacheRoot, type Environment } from '../folders.ts';
import type { Version } from '../version.ts';
import { API_BINARIES, moduleOf, type Binaries, type BinaryName } from './binary.ts';
import { build } from './build.ts';
import { findGo, isExecutable } from './find-go.ts';
import { run } from './run.ts';

/** What was found or built. `message` says in one line what is missing. */
export type Provided =
  { readonly tag: 'ready'; readonly binaries: Binaries } | { readonly tag: 'missing'; readonly message: string };

/** How programs are come by. */
export interface ProvideOptions {
  readonly version: Version;
  readonly env: Environment;
  /** Is given what a build says while it runs: the first one takes minutes. */
  readonly tell: (text: string) => void;
}

/** One program that was found or built. */
export type Found =
  { readonly tag: 'found'; readonly path: string } | { readonly tag: 'missing'; readonly message: string };

/** The folder that setup-envtest and kubebuilder name. */
const ASSETS = 'KUBEBUILDER_ASSETS';

/** The programs of a control plane: from KUBEBUILDER_ASSETS if that is set, else from the cache, else built into it. */
export async function provide(options: ProvideOptions): Promise<Provided> {
  const { env, version } = options;
  const assets = env[ASSETS];
  if (assets !== undefined && assets !== '') return fromAssets(assets, version, env);
  const paths: Partial<Record<BinaryName, string>> = {};
  for (const binary of API_BINARIES) {
    const found = await cachedOrBuilt(binary, options);
    if (found.tag === 'missing') return found;
    paths[binary] = found.path;
  }
  return ready(paths);
}

async function fromAssets(folder: string, version: Version, env: Environment): Promise<Provided> {
  const paths: Partial<Record<BinaryName, string>> = {};
  for (const binary of API_BINARIES) {
    const path = join(folder, binary);
    if (!isExecutable(path)) return missing(`${ASSETS} is ${folder}, which holds no program ${binary}`);
    paths[binary] = path;
  }
  const provided = ready(paths);
  if (provided.tag === 'missing') return provided;
  const command = provided.binaries['kube-apiserver'];
  const printed = await run({ command, args: ['--version'], cwd: folder, env, tell: () => undefined });
  // `Kubernetes v1.34.4`. Another patch of the same minor serves the same API.
  if (printed.includes(` v${version.major}.${version.minor}.`)) return provided;
  return missing(
    `${ASSETS} is ${folder}, which holds "${printed.trim()}", and Kubernetes ${version.text} was asked for`,
  );
}

/** A program from the cache, built into it if need be. */
export async function cachedOrBuilt(binary: BinaryName, { version, env, tell }: ProvideOptions): Promise<Found> {
  const root = cacheRoot(env);
  const module = moduleOf(binary, version);
  const path = join(root, `${module.name}-${module.version}`, binary);
  if (existsSync(path)) return { tag: 'found', path };
  const go = findGo(env);
  if (go === undefined) {
    const how = `install Go (https://go.dev/dl), or set ${ASSETS} to a folder with etcd and kube-apiserver`;
    return missing(`${binary} ${module.version} is not in ${root} and there is no Go to build it: ${how}`);
  }
  tell(`building ${binary} ${module.version} into ${root}; this happens once\n`);
  await mkdir(dirname(path), { recursive: true });
  try {
    await build({ go, binary, module, root, env, tell }, path);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return missing(`${binary} ${module.version} could not be built: ${message}`);
  }
  return { tag: 'found', path };
}

function ready({ etcd, 'kube-apiserver': apiserver }: Partial<Record<BinaryName, string>>): Provided {
  if (etcd === undefined || apiserver === undefined) return missing('etcd or kube-apiserver is missing');
  return { tag: 'ready', binaries: { etcd, 'kube-apiserver': apiserver } };
}

function missing(message: string) {
  return { tag: 'missing', message } as const;
}
