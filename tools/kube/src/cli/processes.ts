import { readFile } from 'node:fs/promises';
import { delay, type Clock } from '@cro/clock';
import type { StartedProgram } from './state.ts';

const LOOK_AGAIN_MS = 50;
const STOP_WITHIN_MS = 20_000;

/** Whether the process still runs that program. Reads /proc, where Linux tells the command line of each process. */
export async function runs({ pid, path }: StartedProgram): Promise<boolean> {
  try {
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')[0] === path;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return false;
    throw error;
  }
}

/** Ends a process of an earlier command (SIGTERM; SIGKILL when that takes too long). It is no child of ours: it is looked after. */
export async function end(program: StartedProgram, clock: Clock): Promise<void> {
  if (!(await runs(program))) return;
  process.kill(program.pid, 'SIGTERM');
  const killAt = clock.monotonic() + STOP_WITHIN_MS;
  for (let killed = false; await runs(program);) {
    if (!killed && clock.monotonic() >= killAt) {
      process.kill(program.pid, 'SIGKILL');
      killed = true;
    }
    await delay(clock, LOOK_AGAIN_MS);
  }
}
