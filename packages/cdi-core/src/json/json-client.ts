import { delay, startDeadline } from '@cro/clock';
import type { Failure } from '@cro/crd-types';
import type { TokenSource } from '../auth/token-source.ts';
import { unlessAborted } from '../auth/unless-aborted.ts';
import type { ProviderHost } from '../contract/host.ts';
import type { CallContext } from '../contract/provider.ts';
import type { Answer } from './answer.ts';
import { backoffMs } from './backoff.ts';
import { isRead, type JsonCall } from './json-call.ts';
import { sendOnce, type SendOptions } from './send-once.ts';

/** Calls a JSON API. */
export interface JsonClient {
  /**
   * Makes a call within the bounds of `context`, tokens and repetitions included. Only reads are repeated, at most
   * twice: after no answer, 429, and 500 to 599; a `Retry-After` that fits into the time left is honoured. A call that was
   * answered with 401 is repeated once with a new token, whatever it is: 401 says that nothing was done.
   */
  call<T>(call: JsonCall<T>, context: CallContext): Promise<Answer<T>>;
}

/** What a client is made of. */
export interface JsonClientOptions {
  /** Absent: no `Authorization` header. */
  readonly tokens?: TokenSource;
  /** How a token is shown. Absent: `Authorization: Bearer`. */
  readonly tokenHeaders?: (token: string) => Readonly<Record<string, string>>;
  /** A PEM file with the CAs to trust, in place of the default ones. */
  readonly caFile?: string | undefined;
}

type Host = Pick<ProviderHost, 'http' | 'clock' | 'random'>;

const MAX_TRIES = 3;

/** Makes a client on the host's ports. */
export function jsonClient(host: Host, options: JsonClientOptions = {}): JsonClient {
  return {
    async call<T>(call: JsonCall<T>, context: CallContext) {
      const deadline = startDeadline(host.clock, context.timeoutMs, context.signal);
      const ends = host.clock.monotonic() + context.timeoutMs;
      try {
        const answer = await authorized(host, options, call, { signal: deadline.signal, ends });
        const late = host.clock.monotonic() >= ends;
        return deadline.signal.aborted && answer.tag === 'noAnswer'
          ? stopped(call, answer.sent, late, context)
          : answer;
      } finally {
        deadline.clear();
      }
    },
  };
}

interface Bounds {
  readonly signal: AbortSignal;
  /** On the monotonic clock. */
  readonly ends: number;
}

async function authorized<T>(
  host: Host,
  options: JsonClientOptions,
  call: JsonCall<T>,
  bounds: Bounds,
): Promise<Answer<T>> {
  const { tokens, tokenHeaders, caFile } = options;
  if (tokens === undefined) return repeated(host, call, { caFile }, bounds);
  for (let again = false; ; again = true) {
    const outcome = await unlessAborted(tokens.token(bounds.signal), bounds.signal);
    if (outcome.tag === 'failed') return { tag: 'noAnswer', sent: false, failure: outcome.failure };
    const answer = await repeated(host, call, { caFile, tokenHeaders, token: outcome.token }, bounds);
    if (answer.tag !== 'status' || answer.status !== 401) return answer;
    tokens.drop(outcome.token);
    if (again) return answer;
  }
}

async function repeated<T>(
  host: Host,
  call: JsonCall<T>,
  options: SendOptions,
  { signal, ends }: Bounds,
): Promise<Answer<T>> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await sendOnce(host, call, options, signal);
    if (!isRead(call) || attempt === MAX_TRIES || signal.aborted || !worthRepeating(answer)) return answer;
    const wish = answer.tag === 'status' ? answer.retryAfterMs : undefined;
    const wait = Math.max(wish ?? 0, backoffMs(attempt, host.random));
    if (host.clock.monotonic() + wait >= ends) return answer;
    try {
      await delay(host.clock, wait, signal);
    } catch {
      // The signal is the caller's word to stop; what was learnt so far is the answer.
      return answer;
    }
  }
}

function worthRepeating(answer: Answer<unknown>): boolean {
  switch (answer.tag) {
    case 'ok':
    case 'mismatch':
      return false;
    case 'status':
      return answer.status === 429 || answer.status >= 500;
    case 'noAnswer':
      return answer.failure.kind === 'Unreachable';
  }
}

function stopped<T>(call: JsonCall<T>, sent: boolean, late: boolean, context: CallContext): Answer<T> {
  const reason = late ? `no answer within ${context.timeoutMs / 1000} s` : 'stopped before there was an answer';
  const failure: Failure = { kind: 'Unreachable', message: `${call.what}: ${reason}` };
  return { tag: 'noAnswer', sent, failure };
}
