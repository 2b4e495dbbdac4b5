import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = new URL('../../../../', import.meta.url).pathname;

/** What a provider's project installs of ours, and what makes one. Their `dist` has to be built. */
const PACKAGES = ['packages/clock', 'packages/crd-types', 'packages/cdi-core', 'tools/create-provider'] as const;

/** The commands of docs/write-a-provider.md, as they stand there. */
export const COMMANDS = ['npm install', 'npm run build', 'npm test'] as const;

/** A project outside the workspace. */
export interface Project {
  readonly name: string;
  /** The folder that everything is below. */
  readonly outside: string;
  readonly folder: string;
  /** What the last command printed. */
  readonly tests: string;
  remove(): Promise<void>;
}

/** The environment of a stranger: this Node first on the PATH, and nothing of the workspace or of what runs this test. */
function environment(): NodeJS.ProcessEnv {
  const { PATH = '', ...others } = process.env;
  const kept = Object.entries(others).filter(([name]) => !/^(?:npm_|NX_|VITEST|NODE_ENV$|NODE_OPTIONS$)/i.test(name));
  const folders = PATH.split(':').filter((folder) => !folder.startsWith(ROOT));
  return { ...Object.fromEntries(kept), PATH: [dirname(process.execPath), ...folders].join(':'), NO_COLOR: '1' };
}

/** Runs a command; when it fails, the error has what it printed. */
async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const maxBuffer = 64 * 2 ** 20;
  try {
    return (await promisify(execFile)(command, [...args], { cwd, env: environment(), maxBuffer })).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error });
  }
}

/** Packs our packages. Answers the tarballs by the name of the package. */
async function pack(into: string): Promise<ReadonlyMap<string, string>> {
  const tarballs = new Map<string, string>();
  for (const folder of PACKAGES) {
    const printed = await run('npm', ['pack', '--json', '--pack-destination', into], join(ROOT, folder));
    const [packed] = JSON.parse(printed) as { name: string; filename: string }[];
    if (packed !== undefined) tarballs.set(packed.name, join(into, packed.filename));
  }
  return tarballs;
}

/** What is not published is taken from the tarballs, whoever asks for it. */
async function useTarballs(folder: string, tarballs: ReadonlyMap<string, string>): Promise<void> {
  const file = join(folder, 'package.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Record<string, Record<string, string>>;
  const overrides: Record<string, string> = {};
  for (const [name, tarball] of tarballs) {
    const kind = ['dependencies', 'devDependencies'].find((one) => manifest[one]?.[name] !== undefined);
    const target = kind === undefined ? undefined : manifest[kind];
    if (target !== undefined) target[name] = `file:${tarball}`;
    overrides[name] = `file:${tarball}`;
  }
  await writeFile(file, JSON.stringify({ ...manifest, overrides }));
}

/** Creates a project from the packed program, installs, builds and tests it. */
export async function createProject(name: string): Promise<Project> {
  const outside = await mkdtemp(join(tmpdir(), 'cro-provider-'));
  const packed = join(outside, 'packed');
  await mkdir(packed);
  const tarballs = await pack(packed);
  const program = tarballs.get('@cro/create-provider') ?? '';
  await run('npm', ['exec', '--yes', `--package=${program}`, '--', 'create-provider', name], outside);
  const folder = join(outside, name);
  await useTarballs(folder, tarballs);
  let tests = '';
  for (const command of COMMANDS) {
    const [npm = '', ...args] = command.split(' ');
    tests = await run(npm, args, folder);
  }
  return { name, outside, folder, tests, remove: () => rm(outside, { recursive: true }) };
}
