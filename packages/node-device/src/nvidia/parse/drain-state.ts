import type { Said } from './report.ts';
import { ok, wrong, type Read } from './read.ts';

/** Whether a GPU takes new work. */
export type DrainState = 'draining' | 'notDraining';

/** `Drain State: Draining`, or, in drivers of 2023, `The current drain state of GPU <address> is: not draining.` */
const STATE = /\bdrain state\b.*:\s*(not )?draining\.?$/i;

/** Reads `drain -p <address> -q`. */
export function readDrainState({ lines, code }: Said): Read<DrainState> {
  const states = new Set(
    lines.flatMap((line) => {
      const found = STATE.exec(line.trim());
      return found === null ? [] : [found[1] === undefined ? ('draining' as const) : ('notDraining' as const)];
    }),
  );
  const [state, ...others] = states;
  if (state !== undefined && others.length === 0 && code === 0) return ok(state);
  return wrong('drain state', `exit code ${code}, ${lines.join(' ')}`, 'exit code 0 and one line "...: draining"');
}
