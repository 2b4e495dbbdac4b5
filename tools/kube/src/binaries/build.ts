import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../folders.ts';
import type { BinaryName, GoModule } from './binary.ts';
import { etcdGoMod, kubernetesGoMod, linkerFlags } from './go-mod.ts';
import { run } from './run.ts';
import { sourcesOf } from './sources.ts';

/** What a build needs. */
export interface Build {
  readonly go: string;
  readonly binary: BinaryName;
  readonly module: GoModule;
  /** The cache's folder. */
  readonly root: string;
  readonly env: Environment;
  readonly tell: (text: string) => void;
}

/** Builds one program from the Go module proxy and puts it at `target`, whole or not at all. */
export async function build(order: Build, target: string): Promise<void> {
  const { go, binary, module, root, tell } = order;
  const cwd = join(root, 'src', `${module.name}-${module.version}`);
  const folder = join(cwd, 'cmd', binary);
  const env = goEnvironment(order.env);
  const runGo = (...args: readonly string[]) => run({ command: go, args, cwd, env, tell });
  await mkdir(cwd, { recursive: true });
  const goMod = await goModOf(module, (at) => runGo('mod', 'download', '-json', at));
  await writeFile(join(cwd, 'go.mod'), goMod);
  // Files of an earlier version of the sources would be compiled with them.
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const { name, path } of await sourcesOf(binary, goMod)) await copyFile(path, join(folder, name));
  await runGo('mod', 'tidy');
  // Two that build at once must not write into one file, and a build that breaks off must leave none behind.
  const unfinished = `${target}.${process.pid}`;
  await runGo('build', '-ldflags', linkerFlags(module), '-o', unfinished, `./cmd/${binary}`);
  await rename(unfinished, target);
}

async function goModOf({ name, version }: GoModule, download: (module: string) => Promise<string>): Promise<string> {
  if (name === 'etcd') return etcdGoMod(version);
  const told: unknown = JSON.parse(await download(`k8s.io/kubernetes@v${version}`));
  const path: unknown = typeof told === 'object' && told !== null ? Reflect.get(told, 'GoMod') : undefined;
  if (typeof path !== 'string') throw new Error(`go mod download did not say where the go.mod of ${version} is`);
  return kubernetesGoMod(version, await readFile(path, 'utf8'));
}

/** Without cgo no C compiler is needed, and the program runs wherever the kernel does. */
function goEnvironment(env: Environment): Environment {
  const flags = [env['GOFLAGS'] ?? '', '-mod=mod', '-buildvcs=false'].join(' ').trim();
  return { ...env, CGO_ENABLED: '0', GOFLAGS: flags };
}
