import type { Clock } from '@cro/clock';
import type { KubeClient } from '../client/client.ts';
import type { ListOptions } from '../client/list.ts';
import type { Kind, KubeObject, ObjectRef } from '../kind.ts';
import { silentLog, type Log } from '../log.ts';
import type { RuntimeMetrics } from '../metrics/runtime-metrics.ts';
import type { Transport } from '../transport.ts';
import type { Cache } from './cache.ts';
import type { IndexFunction } from './indexes.ts';
import { KindCache } from './kind-cache.ts';
import { matcherOf } from './selector.ts';

/** What to watch, and how. Selectors as kubectl takes them. */
export interface WatchOptions<T extends KubeObject> extends ListOptions {
  /** Its acknowledged writes are shown at once. */
  readonly client: KubeClient;
  readonly transport: Transport;
  readonly clock: Clock;
  /** A number in [0, 1), for jitter. */
  readonly random: () => number;
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
  /** The server may not know this kind, or not let us read it: `whenSynced` then does not wait for it. Default false. */
  readonly optional?: boolean;
  /**
   * The one object that the field selector picks. Where it may not be listed and watched, it is read once a minute, if that is
   * allowed.
   */
  readonly only?: ObjectRef;
  readonly log?: Log;
  readonly metrics?: RuntimeMetrics;
  /** Ends the watch. */
  readonly signal: AbortSignal;
}

/** One page has to arrive within this time. */
const PAGE_TIMEOUT_MS = 60_000;

/**
 * Watches a kind. Reads follow own writes: what the client's acknowledged creates, updates and deletes say is visible at
 * once, until the watch reaches it. It goes on through every failure; what went wrong is logged and counted.
 */
export function watchKind<T extends KubeObject>(kind: Kind<T>, options: WatchOptions<T>): Cache<T> {
  const { client, transport, clock, random, indexes, signal, metrics, log = silentLog } = options;
  const { namespace, labelSelector, fieldSelector, only } = options;
  const sending = { transport, clock, random, timeoutMs: PAGE_TIMEOUT_MS, userAgent: client.userAgent };
  const scope = {
    ...(namespace !== undefined && { namespace }),
    ...(labelSelector !== undefined && { labelSelector }),
    ...(fieldSelector !== undefined && { fieldSelector }),
  };
  const cache = new KindCache<T>({
    source: {
      sending: { ...sending, ...(metrics && { metrics }) },
      kind,
      options: scope,
      ...(only && { only }),
      random,
      signal,
    },
    store: {
      kind,
      ...(indexes && { indexes }),
      filtered: labelSelector !== undefined || fieldSelector !== undefined,
      accepts: matcherOf(scope),
    },
    optional: options.optional === true,
    log,
  });
  const stop = client.onWrite((write) => {
    cache.wrote(write);
  });
  void cache.run().then(stop);
  return cache;
}
