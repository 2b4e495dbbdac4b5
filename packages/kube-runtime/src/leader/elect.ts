import { delay, type Clock } from '@cro/clock';
import type { KubeClient } from '../client/client.ts';
import { silentLog, type Log } from '../log.ts';
import type { RuntimeMetrics } from '../metrics/runtime-metrics.ts';
import { Candidate } from './candidate.ts';
import type { Leadership } from './leadership.ts';
import { Term } from './term.ts';

/** What an election needs. */
export interface ElectionOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** A number in [0, 1), for jitter. */
  readonly random: () => number;
  /** Has to be unique to this process: a new process with an old identity takes over at once. */
  readonly identity: string;
  readonly namespace: string;
  readonly name: string;
  /** How long others wait after a renewal. Whole seconds. Default 15 s. */
  readonly leaseDurationMs?: number;
  /** Without a renewal for this long, the lease counts as lost. Default 10 s. */
  readonly renewDeadlineMs?: number;
  /** Between two attempts; a quarter of it after a renewal that failed. Default 2 s. */
  readonly retryPeriodMs?: number;
  /** Gives up waiting; later it ends the leadership at once, without a release, as a crash would. */
  readonly signal: AbortSignal;
  readonly log?: Log;
  readonly metrics?: RuntimeMetrics;
}

/**
 * Waits until this process holds the lease, and keeps renewing it. The same Lease, fields and times as client-go, so
 * that a Go process and this one exclude each other. Rejects with the signal's reason; throws on times that cannot work.
 */
export async function electLeader(options: ElectionOptions): Promise<Leadership> {
  const { clock, random, name, signal, log = silentLog, metrics } = options;
  const times = timesOf(options);
  const client = options.client.withTimeout(times.renewDeadlineMs / 2);
  const candidate = new Candidate({ ...options, client, leaseDurationMs: times.leaseDurationMs });
  metrics?.leading(name, false);
  let reported = '';
  for (;;) {
    signal.throwIfAborted();
    const attempt = await candidate.attempt();
    if (attempt.tag === 'ours') {
      log.info('the lease is ours', { name });
      return new Term({ ...times, candidate, clock, name, since: attempt.since, signal, log, metrics });
    }
    const why = attempt.tag === 'theirs' ? `it is held by ${attempt.holder}` : attempt.message;
    if (why !== reported) log.info('waiting for the lease', { name, why });
    reported = why;
    // Jitter, so that two that wait do not keep meeting.
    await delay(clock, times.retryPeriodMs * (1 + 0.2 * random()), signal);
  }
}

function timesOf({ leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2_000 }: ElectionOptions) {
  if (leaseDurationMs % 1000 !== 0)
    throw new RangeError(`leaseDurationMs is ${leaseDurationMs}; accepted are whole seconds`);
  if (renewDeadlineMs >= leaseDurationMs) {
    throw new RangeError(
      `renewDeadlineMs is ${renewDeadlineMs}; it has to be below leaseDurationMs (${leaseDurationMs})`,
    );
  }
  if (retryPeriodMs <= 0 || retryPeriodMs * 1.2 >= renewDeadlineMs) {
    throw new RangeError(
      `retryPeriodMs is ${retryPeriodMs}; it has to be above 0 and, with a fifth of reserve, below renewDeadlineMs (${renewDeadlineMs})`,
    );
  }
  return { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
}
