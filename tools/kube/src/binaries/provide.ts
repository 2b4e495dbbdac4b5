import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cacheRoot, type Environment } from '../folders.ts';
import type { Version } from '../version.ts';
import { API_BINARIES, CONTROLLER_BINARIES, moduleOf, type Binaries, type BinaryName } from './binary.ts';
import { build } from './build.ts';
import { findGo, isExecutable } from './find-go.ts';
import { run } from './run.ts';
import { digestOfSources } from './sources.ts';

/** What was found or built. `message` says in one line what is missing. */
export type Provided =
  { readonly tag: 'ready'; readonly binaries: Binaries } | { readonly tag: 'missing'; readonly message: string };

/** How programs are come by. */
export interface ProvideOptions {
  readonly version: Version;
  /** With controllers and scheduler. Default false. */
  readonly controllers?: boolean;
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
  const { env, version, controllers = false } = options;
  const wanted = controllers ? [...API_BINARIES, ...CONTROLLER_BINARIES] : API_BINARIES;
  const assets = env[ASSETS];
  const given = assets === undefined || assets === '' ? nothing : await fromAssets(assets, wanted, version, env);
  if (given.tag === 'missing') return given;
  const paths = { ...given.paths };
  for (const binary of wanted) {
    if (paths[binary] !== undefined) continue;
    const found = await cachedOrBuilt(binary, options);
    if (found.tag === 'missing') return found;
    paths[binary] = found.path;
  }
  const { etcd, 'kube-apiserver': apiserver, ...others } = paths;
  if (etcd === undefined || apiserver === undefined) return missing('etcd or kube-apiserver is missing');
  return { tag: 'ready', binaries: { ...others, etcd, 'kube-apiserver': apiserver } };
}

type Paths = Readonly<Partial<Record<BinaryName, string>>>;

const nothing: { readonly tag: 'given'; readonly paths: Paths } = { tag: 'given', paths: {} };

/** What the folder has of them. It need not have controllers, as setup-envtest brings none. */
async function fromAssets(folder: string, wanted: readonly BinaryName[], version: Version, env: Environment) {
  const there = wanted.filter((binary) => isExecutable(join(folder, binary)));
  const lacking = API_BINARIES.find((binary) => !there.includes(binary));
  if (lacking !== undefined) return missing(`${ASSETS} is ${folder}, which holds no program ${lacking}`);
  const command = join(folder, 'kube-apiserver');
  const printed = await run({ command, args: ['--version'], cwd: folder, env, tell: () => undefined });
  // `Kubernetes v1.34.4`. Another patch of the same minor serves the same API.
  if (!printed.includes(` v${version.major}.${version.minor}.`)) {
    return missing(
      `${ASSETS} is ${folder}, which holds "${printed.trim()}", and Kubernetes ${version.text} was asked for`,
    );
  }
  const paths: Paths = Object.fromEntries(there.map((binary) => [binary, join(folder, binary)]));
  return { tag: 'given', paths } as const;
}

/** A program from the cache, built into it if need be. */
export async function cachedOrBuilt(binary: BinaryName, { version, env, tell }: ProvideOptions): Promise<Found> {
  const root = cacheRoot(env);
  const module = moduleOf(binary, version);
  // Kubernetes' programs stay as they are; ours is built again when its sources have changed.
  const name = binary === 'fake-kubelet' ? `${binary}-${await digestOfSources(binary)}` : binary;
  const path = join(root, `${module.name}-${module.version}`, name);
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
    tell(`built ${binary} ${module.version}\n`);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return missing(`${binary} ${module.version} could not be built: ${message}`);
  }
  return { tag: 'found', path };
}

function missing(message: string) {
  return { tag: 'missing', message } as const;
}
