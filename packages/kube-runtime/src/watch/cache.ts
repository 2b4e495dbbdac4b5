import type { Clock } from '@cro/clock';
import type { KubeClient } from '../client/client.ts';
import type { ListOptions } from '../client/list.ts';
import type { Kind, KubeObject } from '../kind.ts';
import { silentLog, type Log } from '../log.ts';
import type { RuntimeMetrics } from '../metrics/runtime-metrics.ts';
import type { Transport } from '../transport.ts';
import type { IndexFunction } from './indexes.ts';
import { KindCache } from './kind-cache.ts';
import { matcherOf } from './selector.ts';
import type { CacheEvent, MalformedObject } from './store.ts';

/** The objects of one kind, kept up to date. What it returns is frozen and without `metadata.managedFields`. */
export interface Cache<T> {
  /** True once a first list is complete; it stays true. */
  readonly synced: boolean;
  /** True while the server does not know the kind (its CRD is not installed). */
  readonly missing: boolean;
  /** Objects that do not decode. They are left out, or shown in their last good state. */
  readonly malformed: readonly MalformedObject[];
  get(name: string, namespace?: string): T | undefined;
  /** All objects. The same array until something changes. */
  list(): readonly T[];
  /** The objects under a value of an index. Throws when no such index was defined. */
  byIndex(index: string, value: string): readonly T[];
  /** Tells of every change from now on, own writes included. Returns how to stop. */
  subscribe(listener: (event: CacheEvent<T>) => void): () => void;
  /** Resolves when synced, or when the kind is optional and missing. Rejects with the signal's reason. */
  whenSynced(signal: AbortSignal): Promise<void>;
}

/** What to watch, and how. Selectors as kubectl takes them. */
export interface WatchOptions<T extends KubeObject> extends ListOptions {
  /** Its acknowledged writes are shown at once. */
  readonly client: KubeClient;
  readonly transport: Transport;
  readonly clock: Clock;
  /** A number in [0, 1), for jitter. */
  readonly random: () => number;
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
  /** The server may not know this kind: `whenSynced` then does not wait for it. Default false. */
  readonly optional?: boolean;
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
  const { namespace, labelSelector, fieldSelector } = options;
  const sending = { transport, clock, timeoutMs: PAGE_TIMEOUT_MS, userAgent: client.userAgent };
  const scope = {
    ...(namespace !== undefined && { namespace }),
    ...(labelSelector !== undefined && { labelSelector }),
    ...(fieldSelector !== undefined && { fieldSelector }),
  };
  const cache = new KindCache<T>({
    source: { sending: { ...sending, ...(metrics && { metrics }) }, kind, options: scope, random, signal },
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
