import type { Log } from '@cro/cdi-core';
import { decodeResource, type Resource, type Resources } from './wire.ts';

/** The resources of an answer that can be read. One that cannot is told in the log, and hides no other. */
export function readableOf({ resources = [] }: Resources, log: Pick<Log, 'warn'>): Resource[] {
  const problems: string[] = [];
  const readable = resources.flatMap((resource) => {
    const decoded = decodeResource(resource);
    if (decoded.tag === 'ok') return [decoded.object];
    problems.push(decoded.message);
    return [];
  });
  if (problems.length > 0) {
    log.warn('CDIM has resources that cannot be read', { count: problems.length, first: problems[0] });
  }
  return readable;
}
