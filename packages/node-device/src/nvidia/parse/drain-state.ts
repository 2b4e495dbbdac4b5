import type { Said } from './report.ts';
import { ok, wrong, type Read } from './read.ts';

/** Whether a GPU takes new work. */
export type DrainState = 'draining' | 'notDraining';

/**
 * `Drain State: Draining`, or, in drivers of 2023, `The current drain state of GPU <address> is: not draining.` What stands before the
 * last colon and behind it is looked at apart: in one pattern a long line would take time with the square of its length.
 */
const SUBJECT = /\bdrain state\b/i;
const STATE = /^(not )?draining\.?$/i;

/** Reads `drain -p <address> -q`. */
export function readDrainState({ lines, code }: Said): Read<DrainState> {
  const states = new Set(
    lines.flatMap((line) => {
      const colon = line.lastIndexOf(':');
      const found = STATE.exec(line.slice(colon + 1).trim());
      if (found === null || !SUBJECT.test(line.slice(0, Math.max(0, colon)))) return [];
      return [found[1] === undefined ? ('draining' as const) : ('notDraining' as const)];
    }),
  );
  const [state, ...others] = states;
  if (state !== undefined && others.length === 0 && code === 0) return ok(state);
  return wrong('drain state', `exit code ${code}, ${lines.join(' ')}`, 'exit code 0 and one line "...: draining"');
}
