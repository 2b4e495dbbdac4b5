import type { WatchOptions } from '@cro/kube-runtime';

/** What every watch needs. */
export type WatchBase = Omit<
  WatchOptions<never>,
  'indexes' | 'optional' | 'only' | 'namespace' | 'labelSelector' | 'fieldSelector'
>;
