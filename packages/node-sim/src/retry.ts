import { delay, type Clock } from '@cro/clock';
import type { ApiOutcome } from './api.ts';

/** A write that did not work. It is tried again unless `final`. */
export interface Problem {
  /** What was being done: `create Node worker-0`. */
  readonly doing: string;
  readonly message: string;
  /** How many times it has failed by now. */
  readonly failures: number;
  /** The API server refused it for good; whoever asked for it is told too. */
  readonly final: boolean;
}

/** What a retry needs. */
export interface RetryHost {
  readonly clock: Clock;
  /** Is told of each failure. */
  readonly report: (problem: Problem) => void;
  /** Ends all retries. */
  readonly signal: AbortSignal;
}

/**
 * What one try came to. `atOnce`: what was known was out of date, and the next try reads it anew. `later`: tried again after
 * a pause. `refused`: no use in trying again.
 */
export type Try<T> =
  | { readonly tag: 'done'; readonly value: T }
  | { readonly tag: 'atOnce' }
  | { readonly tag: 'later'; readonly message: string }
  | { readonly tag: 'refused'; readonly message: string };

/** How it ended. `stopped`: the host's signal aborted. */
export type RetryOutcome<T> =
  | { readonly tag: 'done'; readonly value: T }
  | { readonly tag: 'refused'; readonly message: string }
  | { readonly tag: 'stopped' };

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;
/** Tries in a row without a pause; more would be a quarrel with another writer. */
const MOST_AT_ONCE = 5;

/** Tries until it is done, refused or stopped. */
export async function retry<T>(
  host: RetryHost,
  doing: string,
  attempt: () => Promise<Try<T>>,
): Promise<RetryOutcome<T>> {
  let failures = 0;
  for (let atOnce = 0; !host.signal.aborted;) {
    const outcome = await attempt();
    if (outcome.tag === 'done') return outcome;
    if (outcome.tag === 'atOnce' && atOnce < MOST_AT_ONCE) {
      atOnce += 1;
      continue;
    }
    failures += 1;
    const final = outcome.tag === 'refused';
    const message = outcome.tag === 'atOnce' ? 'somebody else keeps writing the same object' : outcome.message;
    host.report({ doing, message, failures, final });
    if (final) return { tag: 'refused', message };
    atOnce = 0;
    await pause(host, Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1)));
  }
  return { tag: 'stopped' };
}

/** The value of what was done; throws when it was not. */
export function orThrow<T>(doing: string, outcome: RetryOutcome<T>): T {
  if (outcome.tag === 'done') return outcome.value;
  throw new Error(`${doing}: ${outcome.tag === 'refused' ? outcome.message : 'the node simulator was stopped'}`);
}

/** Waits, but not beyond the end of the host: it is the caller who looks whether it has come. */
async function pause({ clock, signal }: RetryHost, ms: number): Promise<void> {
  const over = () => undefined;
  await delay(clock, ms, signal).then(over, over);
}

/** A failure that says nothing special: refused for good where the API server blames the request, else tried again. */
export function failed(outcome: Exclude<ApiOutcome, { tag: 'ok' }>): Try<never> {
  const blamesRequest = outcome.tag === 'status' && outcome.status >= 400 && outcome.status < 500;
  const passing = outcome.tag === 'status' && [401, 408, 409, 429].includes(outcome.status);
  return { tag: blamesRequest && !passing ? 'refused' : 'later', message: outcome.message };
}
