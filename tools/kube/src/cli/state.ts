import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A control plane that runs on after the command that started it. */
export interface State {
  readonly kubeconfigPath: string;
  readonly auditLogPath: string;
  readonly programs: readonly StartedProgram[];
}

/** A process of it, and the program it runs: its id alone may belong to another by now. */
export interface StartedProgram {
  readonly pid: number;
  readonly path: string;
}

const FILE = 'state.json';

/** Remembers it in its folder. */
export async function writeState(directory: string, state: State): Promise<void> {
  await writeFile(join(directory, FILE), `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
}

/** What was remembered; nothing when there is none. */
export async function readState(directory: string): Promise<State | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(join(directory, FILE), 'utf8'));
    return isState(value) ? value : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Forgets it, with its data. */
export async function removeState(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
}

function isState(value: unknown): value is State {
  if (typeof value !== 'object' || value === null) return false;
  const { kubeconfigPath, auditLogPath, programs } = Object.assign<Partial<Record<keyof State, unknown>>, object>(
    {},
    value,
  );
  return (
    typeof kubeconfigPath === 'string' &&
    typeof auditLogPath === 'string' &&
    Array.isArray(programs) &&
    programs.every(isProgram)
  );
}

function isProgram(value: unknown): value is StartedProgram {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'path' in value &&
    typeof value.path === 'string'
  );
}
