import type { Clock } from '@cro/clock';
import type { Failure } from '@cro/crd-types';
import type { TokenOutcome } from './token-source.ts';
import { unlessAborted } from './unless-aborted.ts';

/** Answer of the server that hands out tokens. */
export type Grant =
  | { readonly tag: 'granted'; readonly token: string; readonly expiresAtMs: number }
  | { readonly tag: 'failed'; readonly failure: Failure };

/** A token this close to its end is renewed: the call that carries it takes time too. */
const LEEWAY_MS = 30_000;

/** How long refused credentials are not tried again: a server that counts failures would lock the account. */
const REFUSED_MS = 30_000;

/** Keeps the newest token of one set of credentials. Concurrent callers share one request. */
export class TokenCache {
  readonly #clock: Clock;
  #key = '';
  #token: { readonly value: string; readonly expiresAtMs: number } | undefined;
  #refused: { readonly outcome: TokenOutcome; readonly until: number } | undefined;
  #asking: Promise<TokenOutcome> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The token for the credentials that `key` stands for; `ask` gets a new one. Other credentials forget the old token. */
  get(key: string, ask: () => Promise<Grant>, signal: AbortSignal): Promise<TokenOutcome> {
    if (key !== this.#key) this.#forget(key);
    if (this.#token !== undefined && this.#clock.now() < this.#token.expiresAtMs - LEEWAY_MS) {
      return Promise.resolve({ tag: 'token', token: this.#token.value });
    }
    if (this.#refused !== undefined && this.#clock.monotonic() < this.#refused.until) {
      return Promise.resolve(this.#refused.outcome);
    }
    this.#asking ??= this.#ask(key, ask);
    return unlessAborted(this.#asking, signal);
  }

  /** Forgets `token`, if it is the present one. */
  drop(token: string): void {
    if (this.#token?.value === token) this.#token = undefined;
  }

  async #ask(key: string, ask: () => Promise<Grant>): Promise<TokenOutcome> {
    const grant = await ask().finally(() => {
      // Other credentials have a request of their own under way.
      if (key === this.#key) this.#asking = undefined;
    });
    const outcome: TokenOutcome = grant.tag === 'granted' ? { tag: 'token', token: grant.token } : grant;
    // The credentials may have changed while the server thought; its answer is then for nobody but those who waited.
    if (key !== this.#key) return outcome;
    if (grant.tag === 'granted') {
      this.#token = { value: grant.token, expiresAtMs: grant.expiresAtMs };
      this.#refused = undefined;
    } else if (grant.failure.kind === 'Unauthenticated') {
      this.#refused = { outcome, until: this.#clock.monotonic() + REFUSED_MS };
    }
    return outcome;
  }

  #forget(key: string): void {
    this.#key = key;
    this.#token = undefined;
    this.#refused = undefined;
    this.#asking = undefined;
  }
}
