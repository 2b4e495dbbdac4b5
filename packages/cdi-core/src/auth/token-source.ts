import type { Failure } from '@cro/crd-types';

/** A bearer token, or why there is none. */
export type TokenOutcome =
  { readonly tag: 'token'; readonly token: string } | { readonly tag: 'failed'; readonly failure: Failure };

/** Hands out bearer tokens. */
export interface TokenSource {
  /** A token that is good for now. Concurrent callers share one request; `signal` ends the wait of this caller alone. */
  token(signal: AbortSignal): Promise<TokenOutcome>;
  /** Forgets `token` if it is the present one: the server did not take it. */
  drop(token: string): void;
}
