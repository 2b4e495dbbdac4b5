import type { CommandResult } from '../node-model.ts';

/** How a program is run. */
export interface ProgramCall {
  /** What stands behind its name. */
  readonly args: readonly string[];
  /** Empty where it has none. */
  readonly stdin: string;
  /** Aborts when nobody waits for it any more. */
  readonly signal: AbortSignal;
}

/** A program of a container. */
export type Program = (call: ProgramCall) => CommandResult | Promise<CommandResult>;

/** What a program says on stdout. */
export function said(stdout: string, exitCode = 0): CommandResult {
  return { stdout, stderr: '', exitCode };
}

/** What a program complains of on stderr. */
export function complained(exitCode: number, stderr: string): CommandResult {
  return { stdout: '', stderr, exitCode };
}
