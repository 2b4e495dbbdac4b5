// eslint-disable-next-line no-restricted-imports -- not a clock: the share of time in which the event loop ran code
import { performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import type { Heap } from './heap-follows-work.ts';

/** The heap of this process. */
export function nodeHeap(): Heap {
  let last = performance.eventLoopUtilization();
  return {
    busyShare: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    youngBytes: () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0,
    set: setFlagsFromString,
  };
}
