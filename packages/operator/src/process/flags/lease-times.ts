import { parseDuration } from './duration.ts';

/** The times of leader election, in milliseconds, under the names that client-go gives them. */
export interface LeaseTimes {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

const FLAGS = {
  leaseDurationMs: 'leader-elect-lease-duration',
  renewDeadlineMs: 'leader-elect-renew-deadline',
  retryPeriodMs: 'leader-elect-retry-period',
} as const;

/** A renewal has to be tried again before the deadline: client-go adds this share to the retry period. */
const JITTER = 1.2;

/** Reads the three flags. What is wrong goes to `complain`, one line each. */
export function leaseTimes(read: (flag: string) => unknown, complain: (line: string) => void): LeaseTimes | undefined {
  const duration = (flag: string) => {
    const text = String(read(flag));
    const ms = parseDuration(text);
    if (ms === undefined) complain(`--${flag} is '${text}'; accepted: a number with ms, s, m or h behind it`);
    return ms;
  };
  const leaseDurationMs = duration(FLAGS.leaseDurationMs);
  const renewDeadlineMs = duration(FLAGS.renewDeadlineMs);
  const retryPeriodMs = duration(FLAGS.retryPeriodMs);
  if (leaseDurationMs === undefined || renewDeadlineMs === undefined || retryPeriodMs === undefined) return undefined;
  const times = { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
  const problem = problemWith(times);
  if (problem === undefined) return times;
  complain(problem);
  return undefined;
}

function problemWith({ leaseDurationMs, renewDeadlineMs, retryPeriodMs }: LeaseTimes): string | undefined {
  if (leaseDurationMs % 1000 !== 0 || leaseDurationMs === 0)
    return `--${FLAGS.leaseDurationMs} is ${leaseDurationMs}ms; accepted: whole seconds from 1`;
  if (renewDeadlineMs >= leaseDurationMs)
    return `--${FLAGS.renewDeadlineMs} is ${renewDeadlineMs}ms; accepted: less than --${FLAGS.leaseDurationMs} (${leaseDurationMs}ms)`;
  if (retryPeriodMs === 0 || retryPeriodMs * JITTER >= renewDeadlineMs)
    return `--${FLAGS.retryPeriodMs} is ${retryPeriodMs}ms; accepted: above 0 and, times ${JITTER}, less than --${FLAGS.renewDeadlineMs} (${renewDeadlineMs}ms)`;
  return undefined;
}
