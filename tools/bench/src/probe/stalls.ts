import { readFileSync, rmSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Clock } from '@cro/clock';
import { until } from '@cro/demo';

/** The longest stalls of an event loop: by two measures, and not always the same one. */
export interface Stall {
  /** The longest time in which the loop did not come round, in milliseconds; up to 10 too much. */
  readonly gapMs: number;
  /** The most CPU time that the process used in such a time: what is beyond it, the machine gave to others. */
  readonly cpuMs: number;
}

/** Asks the probe in process `pid` for the longest stalls since it was last asked. */
export async function readStall(clock: Clock, pid: number, path: string, signal: AbortSignal): Promise<Stall> {
  rmSync(path, { force: true });
  return until({
    clock,
    what: 'the operator tells its longest stall',
    on: [
      (look) => {
        const watcher = watch(dirname(path), (_, name) => {
          if (name === basename(path)) look();
        });
        process.kill(pid, 'SIGUSR2');
        return () => {
          watcher.close();
        };
      },
    ],
    value: () => stallIn(path),
    withinMs: 30_000,
    signal,
  });
}

function stallIn(path: string): Stall | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const value: unknown = JSON.parse(text);
  return { gapMs: numberIn(value, 'gapMs'), cpuMs: numberIn(value, 'cpuMs') };
}

function numberIn(value: unknown, key: string): number {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  if (typeof found === 'number') return found;
  throw new Error(`the probe wrote no number in ${key}`);
}
