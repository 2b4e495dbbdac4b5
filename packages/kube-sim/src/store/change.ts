import type { JsonObject } from '../base/json.ts';

/** One write to one object. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The resourceVersion that the write got. */
  readonly version: number;
  /** `namespace/name`, or the name alone. */
  readonly key: string;
  /** The object after the write; for a deletion, its last state. */
  readonly object: JsonObject;
  /** The object before the write. */
  readonly previous: JsonObject | undefined;
}

/** Told of each change, in order. */
export type Listener = (change: Change) => void;
