import type { SimClock } from '../base/sim-clock.ts';
import type { Result } from '../base/result.ts';
import type { JsonObject } from '../base/json.ts';
import type { Registry } from '../resources/registry.ts';
import type { ResourceType } from '../resources/resource-type.ts';
import type { Store } from '../store/store.ts';
import type { OpenWatches } from './open-watches.ts';

/** A write that admission is asked about. */
export interface AdmissionQuestion {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly type: ResourceType;
  readonly subresource: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  readonly dryRun: boolean;
}

/** What every part of the server works on. */
export interface World {
  readonly store: Store;
  readonly registry: Registry;
  readonly clock: SimClock;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly watches: OpenWatches;
  /** Milliseconds between two bookmarks of a watch that asked for them. */
  readonly bookmarkIntervalMs: number;
  /** Asks the admission webhooks; answers their warnings. */
  readonly admit: (question: AdmissionQuestion, signal: AbortSignal) => Promise<Result<readonly string[]>>;
}
