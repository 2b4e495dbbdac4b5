import { basename, join } from 'node:path';
import type { Clock } from '@cro/clock';
import type { BinaryName } from '../binaries/binary.ts';
import { cachedOrBuilt, provide } from '../binaries/provide.ts';
import { cacheRoot, type Environment } from '../folders.ts';
import { startControlPlane } from '../plane/start.ts';
import type { Version } from '../version.ts';
import type { Command } from './args.ts';
import { end, runs } from './processes.ts';
import { readState, removeState, writeState, type State } from './state.ts';

/** What a command works with. */
export interface CommandContext {
  readonly version: Version;
  readonly env: Environment;
  readonly clock: Clock;
  /** Takes what a shell evaluates. */
  readonly print: (text: string) => void;
  /** Takes what a person reads. */
  readonly tell: (text: string) => void;
}

/** Does it; answers what is wrong, in one line, or nothing. */
export function perform(command: Command, context: CommandContext): Promise<string | undefined> {
  switch (command.tag) {
    case 'up':
      return up(context, command.controllers);
    case 'down':
      return down(context);
    case 'env':
      return printEnv(context);
    case 'build':
      return buildOne(command.binary, context);
  }
}

async function buildOne(binary: BinaryName, context: CommandContext): Promise<string | undefined> {
  const found = await cachedOrBuilt(binary, context);
  if (found.tag === 'missing') return found.message;
  context.print(`${found.path}\n`);
  return undefined;
}

async function up(context: CommandContext, controllers: boolean): Promise<string | undefined> {
  const { version, clock, tell } = context;
  const directory = directoryOf(context);
  const before = await running(directory);
  if (before !== undefined) {
    const hasControllers = before.programs.some(({ path }) => basename(path) === 'kube-controller-manager');
    if (controllers && !hasControllers)
      return `it runs without controllers: stop it first, with "npm run kube -- down"`;
    return printEnv(context);
  }
  await down(context);
  const provided = await provide({ ...context, controllers });
  if (provided.tag === 'missing') return provided.message;
  const plane = await startControlPlane({ version, binaries: provided.binaries, directory, clock, detached: true });
  const programs = plane.programs().map(({ pid, path }) => ({ pid, path }));
  const { kubeconfigPath, auditLogPath } = plane;
  await writeState(directory, { kubeconfigPath, auditLogPath, programs });
  tell(`Kubernetes ${version.text} is ready at ${plane.url}\n`);
  return printEnv(context);
}

async function down(context: CommandContext): Promise<undefined> {
  const directory = directoryOf(context);
  const state = await readState(directory);
  for (const program of state?.programs ?? []) await end(program, context.clock);
  await removeState(directory);
}

async function printEnv(context: CommandContext): Promise<string | undefined> {
  const { version, print } = context;
  const state = await running(directoryOf(context));
  if (state === undefined)
    return `Kubernetes ${version.text} does not run: npm run kube -- up --version ${version.text}`;
  print(
    `export KUBECONFIG='${quoted(state.kubeconfigPath)}'\nexport CRO_KUBE_AUDIT_LOG='${quoted(state.auditLogPath)}'\n`,
  );
  return undefined;
}

/** The control plane of that folder, if all of its programs run. */
async function running(directory: string): Promise<State | undefined> {
  const state = await readState(directory);
  if (state === undefined) return undefined;
  const all = await Promise.all(state.programs.map(runs));
  return all.every(Boolean) ? state : undefined;
}

function directoryOf({ env, version }: CommandContext): string {
  return join(cacheRoot(env), 'run', version.text);
}

/** Within single quotes a shell takes everything as it is, but for a single quote. */
function quoted(text: string): string {
  return text.replaceAll("'", "'\\''");
}
