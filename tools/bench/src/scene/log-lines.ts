import { readFileSync, watch } from 'node:fs';
import { until } from '@cro/demo';
import type { Clock } from '@cro/clock';

/** How often a text stands in a file. */
export function occurrences(path: string, text: string): number {
  return readFileSync(path, 'utf8').split(text).length - 1;
}

/** What to wait for in a log. */
export interface LogWait {
  readonly clock: Clock;
  readonly path: string;
  readonly text: string;
  /** How often it has to stand there. */
  readonly times: number;
  readonly withinMs: number;
  readonly signal: AbortSignal;
}

/** Waits until a text stands in a log that often. */
export async function untilLogged({ clock, path, text, times, withinMs, signal }: LogWait): Promise<void> {
  await until({
    clock,
    what: `the operator logs '${text}'`,
    on: [
      (look) => {
        const watcher = watch(path, look);
        return () => {
          watcher.close();
        };
      },
    ],
    value: () => (occurrences(path, text) >= times ? true : undefined),
    withinMs,
    signal,
  });
}
