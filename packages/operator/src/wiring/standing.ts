import type { Caches } from './caches.ts';
import type { Watched } from './watch.ts';

/** What has not been read yet, a line each. */
export function unread(watched: Watched): string[] {
  return watched.all.flatMap(({ name, cache }) => {
    if (cache.missing) return [`${name}: the API server does not know this kind`];
    return cache.synced ? [] : [`${name}: not read yet${cache.problem === undefined ? '' : `: ${cache.problem}`}`];
  });
}

/** How many resources are in each state. */
export function countByState({ resources }: Pick<Caches, 'resources'>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of resources.list()) {
    const state = status?.state ?? '';
    counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}
