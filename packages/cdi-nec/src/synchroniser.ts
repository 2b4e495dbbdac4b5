import type { CallContext, JsonClient, ProviderHost } from '@cro/cdi-core';
import { synchronise } from './calls.ts';
import { failureOf } from './failures.ts';

/** How long a synchronisation may take before another one is asked for, in milliseconds. */
export const SYNC_MS = 5_000;

/** Asks for configuration-manager to be brought up to date, where an exporter is configured, and not too often. */
export class Synchroniser {
  readonly #host: ProviderHost;
  readonly #client: JsonClient;
  readonly #exporter: string | undefined;
  #askedMs: number | undefined;
  #problem = '';

  constructor(host: ProviderHost, client: JsonClient, exporter: string | undefined) {
    this.#host = host;
    this.#client = client;
    this.#exporter = exporter;
  }

  /** Asks, unless it was done a moment ago. A refusal is told once and changes nothing: the exporter also runs by itself. */
  async ask(context: CallContext): Promise<void> {
    const now = this.#host.clock.monotonic();
    if (this.#exporter === undefined || (this.#askedMs !== undefined && now - this.#askedMs < SYNC_MS)) return;
    this.#askedMs = now;
    const answer = await this.#client.call(synchronise(this.#exporter), context);
    const problem = answer.tag === 'ok' ? '' : failureOf('CDIM synchronisation', answer).message;
    if (problem !== '' && problem !== this.#problem) this.#host.log.warn('CDIM was not synchronised', { problem });
    this.#problem = problem;
  }

  /**
   * Whether what is shown is as new as it can be had: nobody can be asked, or a synchronisation had its time to end and is
   * not long ago. Else one is asked for.
   */
  async isFresh(context: CallContext): Promise<boolean> {
    if (this.#exporter === undefined) return true;
    const age = this.#askedMs === undefined ? Infinity : this.#host.clock.monotonic() - this.#askedMs;
    if (age >= SYNC_MS && age < SYNC_MS * 6) return true;
    await this.ask(context);
    return false;
  }
}
