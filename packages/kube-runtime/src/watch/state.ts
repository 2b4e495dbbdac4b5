import type { ApiError } from '../client/outcome.ts';

/** What the list-watch is doing; what to do next follows from it alone. */
export type WatchState = Listing | Watching | Waiting;

/** Fetching pages. */
export interface Listing {
  readonly tag: 'listing';
  /** Where the next page goes on; absent at the first. */
  readonly continueToken?: string;
  /** The snapshot that the pages belong to; known from the first page on. */
  readonly snapshot?: string;
  /** The newest version seen before this list. */
  readonly known?: string;
  /** Failures in a row. */
  readonly failures: number;
}

/** Following changes. */
export interface Watching {
  readonly tag: 'watching';
  /** Everything up to here has been seen. */
  readonly resourceVersion: string;
  /** When the connection was asked for, in monotonic milliseconds. */
  readonly openedAt: number;
  /** False until the connection delivered something. */
  readonly delivered: boolean;
  /** True when it goes on from a list, false when from an earlier watch. */
  readonly listed: boolean;
  readonly failures: number;
}

/** Waiting before the next try. */
export interface Waiting {
  readonly tag: 'waiting';
  readonly delayMs: number;
  /** The version to watch on from; absent: list anew. */
  readonly resume?: string;
  readonly known?: string;
  readonly failures: number;
}

/** What happened. An input that does not belong to the present state is left over from an older one and changes nothing. */
export type WatchInput =
  /** An object in a page. */
  | { readonly tag: 'item'; readonly value: unknown }
  /** The end of a page; without `continueToken` the end of the list. */
  | { readonly tag: 'page'; readonly resourceVersion: string; readonly continueToken?: string }
  /**
   * The one object that is wanted was read by itself, because it may not be listed. `resourceVersion`: its version; empty
   * when it is not there.
   */
  | { readonly tag: 'polled'; readonly resourceVersion: string }
  | { readonly tag: 'added' | 'modified' | 'deleted'; readonly value: unknown; readonly resourceVersion: string }
  | { readonly tag: 'bookmark'; readonly resourceVersion: string }
  /** The server ended the watch in order. */
  | { readonly tag: 'closed' }
  /** No answer, a refusal, an ERROR event. */
  | { readonly tag: 'failed'; readonly error: ApiError }
  /** Something came that cannot be read as an event. */
  | { readonly tag: 'garbled'; readonly message: string }
  /** The wait is over. */
  | { readonly tag: 'elapsed' };

/** What the cache has to do. */
export type WatchEffect =
  /** A list begins: what it does not name is to go when it is complete. */
  | { readonly tag: 'begin' }
  | { readonly tag: 'set'; readonly value: unknown; readonly version?: string }
  | { readonly tag: 'remove'; readonly value: unknown; readonly version: string }
  /** Everything up to `version` has been seen. */
  | { readonly tag: 'reached'; readonly version: string }
  /** The list is complete. */
  | { readonly tag: 'commit'; readonly version: string }
  /** The server's history starts anew (a restored backup): versions that are held say nothing any more. */
  | { readonly tag: 'distrust' }
  | { readonly tag: 'report'; readonly error: ApiError; readonly retryMs: number };

/** The moment of an input: monotonic milliseconds, and a number in [0, 1) for jitter. */
export interface Moment {
  readonly at: number;
  readonly random: number;
}

/** The result of a step. */
export interface Transition {
  readonly state: WatchState;
  readonly effects: readonly WatchEffect[];
}
