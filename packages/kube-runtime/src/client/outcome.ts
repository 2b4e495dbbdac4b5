import type { KubeObject } from '../kind.ts';

/** Why a request failed, as the server's Status says it. It holds no secret: request bodies and headers stay out. */
export interface ApiError {
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** The Status' reason, such as `Forbidden`; `NoAnswer` or `Malformed` where it is ours. */
  readonly reason: string;
  readonly message: string;
  /** From the Retry-After header, in milliseconds. */
  readonly retryAfterMs?: number;
}

/** There is no such object. `unserved`: the server does not know its kind in that version either. */
export interface NotFound {
  readonly tag: 'notFound';
  readonly unserved?: true;
}

/** The outcome of reading one object. */
export type ReadOutcome<T> =
  { readonly tag: 'found'; readonly object: T } | NotFound | { readonly tag: 'failed'; readonly error: ApiError };

/** The outcome of a list. `resourceVersion` is that of the snapshot. */
export type ListOutcome<T> =
  | { readonly tag: 'listed'; readonly objects: readonly T[]; readonly resourceVersion: string }
  | { readonly tag: 'failed'; readonly error: ApiError };

/** How a write can end without having been done. */
export type WriteFailure =
  | NotFound
  /** 409 Conflict, or a failed `test` of a JSON patch: nothing was written; read again. */
  | { readonly tag: 'conflict'; readonly error: ApiError }
  /** Certain that nothing was written. */
  | { readonly tag: 'refused'; readonly error: ApiError }
  /** No answer, or a 5xx: it may have been written. Read live before the next step. */
  | { readonly tag: 'unknown'; readonly error: ApiError };

/** The outcome of create, replace and patch. */
export type WriteOutcome<T extends KubeObject> =
  { readonly tag: 'done'; readonly object: T } | { readonly tag: 'alreadyExists' } | WriteFailure;

/** The outcome of delete. `object`: what the server returned, when it still exists (finalizers). */
export type DeleteOutcome = { readonly tag: 'done'; readonly object?: unknown } | WriteFailure;

/** One operation of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

/** A patch: JSON (RFC 6902) or merge (RFC 7386). */
export type Patch =
  | { readonly type: 'json'; readonly operations: readonly JsonPatchOperation[] }
  | { readonly type: 'merge'; readonly value: unknown };
