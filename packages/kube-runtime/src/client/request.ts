import { delay, startDeadline, type Clock } from '@cro/clock';
import { messageOf } from '../json.ts';
import type { RuntimeMetrics } from '../metrics/runtime-metrics.ts';
import type { Transport, TransportRequest } from '../transport.ts';
import { noAnswer, retryAfterOf, type Answer } from './api-error.ts';
import type { ApiError } from './outcome.ts';

/** What sending needs. */
export interface Sending {
  readonly transport: Transport;
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** One deadline over all attempts. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  readonly metrics?: RuntimeMetrics;
}

/** A server that says "at once" again and again must not make a busy loop. */
const SHORTEST_RETRY_MS = 100;
/** What the API server says of itself when priority and fairness turn a request away, and what is taken where it says nothing. */
const USUAL_RETRY_MS = 1_000;
const WIDEST_SPREAD_MS = 8_000;

/** Reads the body of a 200 in place of keeping its text. */
export type BodyReader = (body: AsyncIterable<Uint8Array>) => Promise<void>;

/** A complete answer, or none. */
export type Sent =
  { readonly tag: 'answer'; readonly answer: Answer } | { readonly tag: 'noAnswer'; readonly error: ApiError };

/**
 * Sends a request and reads the whole answer, within the deadline. It repeats what the server certainly did not do:
 * a 429 (turned away before it was handled), and for reads a 503 that names a time. `onBody` reads a success as it comes.
 */
export async function sendWithin(
  sending: Sending,
  request: TransportRequest,
  parent?: AbortSignal,
  onBody?: BodyReader,
): Promise<Sent> {
  const { clock, random, timeoutMs } = sending;
  const deadline = startDeadline(clock, timeoutMs, parent);
  const endsAt = clock.monotonic() + timeoutMs;
  try {
    for (let retries = 0; ; retries += 1) {
      const answer = await sendOnce(sending, request, deadline.signal, onBody);
      const leastMs = leastRetryMs(request, answer);
      const leftMs = endsAt - clock.monotonic();
      if (leastMs === undefined || leastMs >= leftMs) return { tag: 'answer', answer };
      await delay(clock, leastMs + random() * Math.min(spreadMs(retries), leftMs - leastMs), deadline.signal);
    }
  } catch (error) {
    const message = deadline.expired() ? `no answer within ${timeoutMs} ms` : messageOf(error);
    sending.metrics?.client.requestDone('<error>', sending.transport.host, request.method);
    return { tag: 'noAnswer', error: noAnswer(message) };
  } finally {
    deadline.clear();
  }
}

/** How long to wait at least before the request may be repeated; `undefined` when it must not be. */
function leastRetryMs(request: TransportRequest, answer: Answer): number | undefined {
  const retryAfterMs = retryAfterOf(answer.headers);
  if (answer.status === 429) return Math.max(retryAfterMs ?? USUAL_RETRY_MS, SHORTEST_RETRY_MS);
  return answer.status === 503 && request.method === 'GET' ? retryAfterMs : undefined;
}

/**
 * Over how long a time the next attempts of requests that were turned away together are spread: Retry-After is the same second for all
 * of them, and at that second they would meet again. Wider with each retry, as more of them may be about than fit.
 */
function spreadMs(retries: number): number {
  return Math.min(WIDEST_SPREAD_MS, USUAL_RETRY_MS * 2 ** retries);
}

async function sendOnce(
  sending: Sending,
  request: TransportRequest,
  signal: AbortSignal,
  onBody: BodyReader | undefined,
): Promise<Answer> {
  const headers = { accept: 'application/json', 'user-agent': sending.userAgent, ...request.headers };
  const response = await sending.transport.send({ ...request, headers }, signal);
  const { status, headers: received } = response;
  let text = '';
  if (onBody !== undefined && status === 200) await onBody(response.body);
  else text = await readText(response.body);
  sending.metrics?.client.requestDone(String(status), sending.transport.host, request.method);
  return { status, headers: received, text };
}

/** Reads a whole body as UTF-8 text. */
export async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
