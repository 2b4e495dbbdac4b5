import type { Report } from './report.ts';
import { ok, wrong, type Read } from './read.ts';

/**
 * The persistence daemon of a driver's container. `killed`: its file of the process id is there, and the process is not:
 * somebody killed it, since it removes the file when it ends by itself.
 */
export type Persistenced = 'running' | 'killed' | 'none';

/** Reads it; `none` where nobody looked. */
export function readPersistenced(report: Report): Read<Persistenced> {
  const [line = 'none'] = report.of('persistenced');
  if (line === 'none') return ok('none');
  const [, state] = /^(running|ended) \d+$/.exec(line) ?? [];
  if (state === undefined) return wrong('state of nvidia-persistenced', line, 'none, running <pid> or ended <pid>');
  return ok(state === 'running' ? 'running' : 'killed');
}
