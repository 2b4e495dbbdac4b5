import type { ProviderHost, TokenOutcome, TokenSource } from '@cro/cdi-core';
import { startDeadline } from '@cro/clock';
import type { Failure } from '@cro/crd-types';
import type { SecretValues } from './secret-values.ts';

const SESSIONS = '/redfish/v1/SessionService/Sessions';
/** Bound of the call, in milliseconds. */
const TIMEOUT_MS = 30_000;

/**
 * Tokens of the session service (DSP0266, "Redfish session login authentication"): one session for all calls, made when it is first
 * needed, and anew when the service does not take its token any more or the Secret has changed.
 */
export class SessionTokens implements TokenSource {
  readonly #host: ProviderHost;
  readonly #base: string;
  readonly #caFile: string | undefined;
  readonly #read: () => SecretValues;
  #session: { readonly key: string; readonly token: Promise<TokenOutcome> } | undefined;

  constructor(host: ProviderHost, base: string, caFile: string | undefined, read: () => SecretValues) {
    this.#host = host;
    this.#base = base;
    this.#caFile = caFile;
    this.#read = read;
  }

  async token(): Promise<TokenOutcome> {
    const found = this.#read();
    if (found.tag === 'failed') return found;
    const key = JSON.stringify(found.values);
    if (this.#session?.key !== key) this.#session = { key, token: this.#open(found.values) };
    const session = this.#session;
    const outcome = await session.token;
    // A failure is not kept: the next call tries again.
    if (outcome.tag === 'failed' && this.#session === session) this.#session = undefined;
    return outcome;
  }

  drop(): void {
    this.#session = undefined;
  }

  async #open([UserName, Password]: readonly string[]): Promise<TokenOutcome> {
    // No caller's signal: the session is for everybody who waits for it.
    const deadline = startDeadline(this.#host.clock, TIMEOUT_MS);
    const request = {
      method: 'POST',
      url: `${this.#base}${SESSIONS}`,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ UserName, Password }),
      ...(this.#caFile === undefined ? {} : { caFile: this.#caFile }),
    } as const;
    try {
      const { status, headers } = await this.#host.http.send(request, deadline.signal);
      const token = headers['x-auth-token'];
      if (status >= 200 && status < 300 && token !== undefined) {
        this.#host.log.info('session opened', { service: this.#base });
        return { tag: 'token', token };
      }
      return failed(status === 401 || status === 403 ? 'Unauthenticated' : 'Unreachable', `HTTP ${status}`);
    } catch (error) {
      return failed('Unreachable', error instanceof Error ? error.message : 'no answer');
    } finally {
      deadline.clear();
    }
  }
}

function failed(kind: Failure['kind'], why: string): TokenOutcome {
  return { tag: 'failed', failure: { kind, message: `Redfish session: ${why}` } };
}
