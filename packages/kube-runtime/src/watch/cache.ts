import type { CacheEvent, MalformedObject } from './store.ts';

/** The objects of one kind, kept up to date. What it returns is frozen and without `metadata.managedFields`. */
export interface Cache<T> {
  /** True once a first list is complete; it stays true. */
  readonly synced: boolean;
  /** True while the server does not know the kind (its CRD is not installed). */
  readonly missing: boolean;
  /** Why the last list or watch failed, in the server's words; absent once one has worked. */
  readonly problem?: string | undefined;
  /** Objects that do not decode. They are left out, or shown in their last good state. */
  readonly malformed: readonly MalformedObject[];
  get(name: string, namespace?: string): T | undefined;
  /** All objects. The same array until something changes. */
  list(): readonly T[];
  /** The objects under a value of an index. Throws when no such index was defined. */
  byIndex(index: string, value: string): readonly T[];
  /** Tells of every change from now on, own writes included. Returns how to stop. */
  subscribe(listener: (event: CacheEvent<T>) => void): () => void;
  /** Resolves when synced, or when the kind is optional and missing or forbidden. Rejects with the signal's reason. */
  whenSynced(signal: AbortSignal): Promise<void>;
}
