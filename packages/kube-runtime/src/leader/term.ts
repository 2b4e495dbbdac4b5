import { delay, type Cancel, type Clock } from '@cro/clock';
import type { Log } from '../log.ts';
import type { RuntimeMetrics } from '../metrics/runtime-metrics.ts';
import type { Candidate } from './candidate.ts';
import type { Leadership } from './leadership.ts';

/** What a term needs. */
export interface TermOptions {
  readonly candidate: Candidate;
  readonly clock: Clock;
  readonly name: string;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  /** When the request that won was made, in monotonic milliseconds. */
  readonly since: number;
  /** Ends the term without a release. */
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly metrics: RuntimeMetrics | undefined;
}

/** After a failure it is tried again so much sooner: few of the long tries fit into the deadline, and any may be in vain. */
const SOONER = 4;

/** A term of leadership: renews the lease until it is lost or let go. */
export class Term implements Leadership {
  readonly #options: TermOptions;
  readonly #ended = new AbortController();
  readonly #renewing: Promise<void>;
  #renewed: number;
  #cancelDeadline: Cancel = () => undefined;
  readonly #onAbort = () => {
    this.#end('the process stops');
  };

  constructor(options: TermOptions) {
    this.#options = options;
    this.#renewed = options.since;
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
    this.#armDeadline();
    options.metrics?.leading(options.name, this.held());
    if (options.signal.aborted) this.#onAbort();
    this.#renewing = this.#renew();
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  held(): boolean {
    const { clock, renewDeadlineMs } = this.#options;
    return !this.#ended.signal.aborted && clock.monotonic() - this.#renewed < renewDeadlineMs;
  }

  async release(): Promise<void> {
    const { candidate, log, name } = this.#options;
    const held = this.held();
    this.#end('released');
    // A renewal that is under way would land on top of the release.
    await this.#renewing;
    if (!held) return;
    const attempt = await candidate.release();
    if (attempt.tag === 'ours') log.info('the lease is released', { name });
    else {
      const why = attempt.tag === 'theirs' ? `it is held by ${attempt.holder}` : attempt.message;
      log.warn('the lease was not released; others wait until it runs out', { name, why });
    }
  }

  async #renew(): Promise<void> {
    const { candidate, clock, retryPeriodMs, log, name } = this.#options;
    let failure = '';
    for (;;) {
      const pauseMs = failure === '' ? retryPeriodMs : retryPeriodMs / SOONER;
      // The only way in which this wait fails is the end of the term.
      await delay(clock, pauseMs, this.#ended.signal).catch(() => undefined);
      // A process that was stopped for a while finds this timer overdue before the one of the deadline.
      if (!this.held()) this.#endUnrenewed();
      if (this.#ended.signal.aborted) return;
      const attempt = await candidate.attempt();
      if (attempt.tag === 'failed' && attempt.message !== failure) {
        log.warn('the lease was not renewed, trying again', { name, error: attempt.message });
      }
      failure = attempt.tag === 'failed' ? attempt.message : '';
      // The term may have ended while the answer was on its way: then it comes too late to count.
      if (attempt.tag === 'ours' && this.held()) {
        this.#renewed = attempt.since;
        this.#armDeadline();
      } else if (attempt.tag === 'theirs') {
        this.#end(`${attempt.holder} has taken it`);
      }
    }
  }

  #armDeadline(): void {
    const { clock, renewDeadlineMs } = this.#options;
    this.#cancelDeadline();
    this.#cancelDeadline = clock.after(this.#renewed + renewDeadlineMs - clock.monotonic(), () => {
      this.#endUnrenewed();
    });
  }

  #endUnrenewed(): void {
    this.#end(`it was not renewed for ${this.#options.renewDeadlineMs} ms`);
  }

  #end(why: string): void {
    if (this.#ended.signal.aborted) return;
    const { name, log, metrics, signal } = this.#options;
    this.#cancelDeadline();
    signal.removeEventListener('abort', this.#onAbort);
    log.info('the lease is no longer ours', { name, why });
    metrics?.leading(name, false);
    this.#ended.abort(new Error(`the lease ${name} is no longer ours: ${why}`));
  }
}
