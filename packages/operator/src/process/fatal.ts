import { printable } from './printable.ts';

/** Exit code for wrong flags, settings or files: what a restart alone does not mend. */
export const EXIT_CONFIGURATION = 2;

/** The text for stderr when the process cannot start: one line for each problem, whatever is in it. */
export function fatalLines(program: string, problems: readonly string[]): string {
  return problems.map((problem) => `${program}: ${printable(problem)}\n`).join('');
}
