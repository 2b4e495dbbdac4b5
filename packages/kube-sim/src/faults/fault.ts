import type { RequestFacts } from '../core/describe-call.ts';

/** What goes wrong. */
export type Trouble =
  /** The server answers with an error. `retryAfterSeconds` becomes a Retry-After header. */
  | {
      readonly tag: 'fail';
      readonly code: number;
      readonly reason: string;
      readonly message: string;
      readonly retryAfterSeconds?: number;
    }
  /** The request, or its answer, takes so long. */
  | { readonly tag: 'delay'; readonly ms: number }
  /** The answer is 200 and empty: a watch that ends cleanly at once, as some servers do with one from an old version. */
  | { readonly tag: 'empty' }
  /** The connection breaks: the client gets no answer. */
  | { readonly tag: 'cut' };

/** Something that goes wrong with certain requests. */
export interface Fault {
  /** Picks requests. */
  readonly match: (request: RequestFacts) => boolean;
  /** Strikes the n-th request that matches, counted from 1 (the default). */
  readonly nth?: number;
  /** How many requests in a row are struck, from the n-th on. Default 1. */
  readonly times?: number;
  /** `before`: the request is not carried out, or only after the delay. `after`: it is, and the answer is what suffers. */
  readonly when: 'before' | 'after';
  readonly trouble: Trouble;
}
