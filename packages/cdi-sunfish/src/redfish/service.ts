import { cleanText, retryAfterMs, type CallContext, type JsonClient, type JsonCall } from '@cro/cdi-core';
import type { Clock } from '@cro/clock';
import type { Decoded, Failure } from '@cro/crd-types';
import type { SignedIn } from './auth.ts';
import { changedBy, type Changed } from './changed.ts';
import { readFailure } from './failures.ts';
import { isUri } from './uri.ts';
import { decode, type Task } from './wire.ts';

/** A resource that was read. `absent`: the service does not have it. */
export type Read<T> =
  | { readonly tag: 'ok'; readonly value: T; readonly etag?: string }
  | { readonly tag: 'absent'; readonly failure: Failure }
  | { readonly tag: 'failed'; readonly failure: Failure };

/** A change to a resource. */
export interface Change {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly uri: string;
  readonly body?: unknown;
  /** Sent as `If-Match`. */
  readonly etag?: string | undefined;
}

/** The answer of a task monitor. `refused`: it answered with an error of the client's, which is how a failed change ends. */
export type MonitorAnswer =
  | { readonly tag: 'answered'; readonly status: number; readonly task: Task; readonly retryAfterMs?: number }
  | { readonly tag: 'gone' }
  | { readonly tag: 'refused'; readonly failure: Failure }
  | { readonly tag: 'failed'; readonly failure: Failure };

const BAD_LINK: Failure = {
  kind: 'Protocol',
  message: 'Redfish: a link is not a path of the service: it is not followed',
};

/** Whether a status speaks of the task, and not of who asked, how often, or of another place to ask at. */
function isVerdict(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);
}

/** Each resource of a Redfish service names itself (DSP0266); what does not is the answer of something else. */
function resourceDecoder<T>(decodeBody: (value: unknown) => Decoded<T>): (value: unknown) => Decoded<T> {
  return (value) => {
    const named = decode.ref(value);
    if (named.tag === 'malformed') return named;
    if (!isUri(named.object['@odata.id'])) return { tag: 'malformed', message: '@odata.id: it is not a path' };
    return decodeBody(value);
  };
}

/** One Redfish service: reads and changes by path. A path that a server made up is checked before it is sent. */
export class RedfishService {
  /** `http[s]://host[:port]`. */
  readonly base: string;
  readonly #client: JsonClient;
  readonly #secrets: () => readonly string[];
  readonly #clock: Clock;

  constructor({ client, secrets }: SignedIn, base: string, clock: Clock) {
    this.#client = client;
    this.base = base;
    this.#secrets = secrets;
    this.#clock = clock;
  }

  /** Reads a resource. `query` is sent as it is. */
  async get<T>(
    uri: string,
    decodeBody: (value: unknown) => Decoded<T>,
    context: CallContext,
    query = '',
  ): Promise<Read<T>> {
    if (!isUri(uri)) return { tag: 'failed', failure: BAD_LINK };
    const what = `Redfish GET ${cleanText(uri)}`;
    const call: JsonCall<T> = {
      ...this.#common(what, uri, query),
      method: 'GET',
      decode: resourceDecoder(decodeBody),
      wantHeaders: ['etag'],
    };
    const answer = await this.#client.call(call, context);
    if (answer.tag === 'ok') {
      const etag = answer.headers?.['etag'];
      return { tag: 'ok', value: answer.value, ...(etag === undefined ? {} : { etag }) };
    }
    const failure = readFailure(what, answer);
    const isAbsent = answer.tag === 'status' && (answer.status === 404 || answer.status === 410);
    return { tag: isAbsent ? 'absent' : 'failed', failure };
  }

  /** Asks for a change, once. */
  async change({ method, uri, body, etag }: Change, context: CallContext): Promise<Changed> {
    if (!isUri(uri)) return { tag: 'refused', status: undefined, failure: BAD_LINK };
    const what = `Redfish ${method} ${cleanText(uri)}`;
    const call = {
      ...this.#common(what, uri, ''),
      method,
      ...(body === undefined ? {} : { body }),
      ...(etag === undefined ? {} : { headers: { 'if-match': etag } }),
      decode: decode.anything,
      mayBeEmpty: true,
      wantHeaders: ['location', 'retry-after'],
    };
    return changedBy(what, this.base, await this.#client.call(call, context), this.#clock.now());
  }

  /** Asks a task monitor. */
  async monitor(uri: string, context: CallContext): Promise<MonitorAnswer> {
    if (!isUri(uri)) return { tag: 'failed', failure: BAD_LINK };
    const what = `Redfish GET ${cleanText(uri)}`;
    const call = {
      ...this.#common(what, uri, ''),
      method: 'GET' as const,
      decode: (value: unknown) => decode.task(value ?? {}),
      mayBeEmpty: true,
      wantHeaders: ['retry-after'],
    };
    const answer = await this.#client.call(call, context);
    if (answer.tag === 'ok' || answer.tag === 'mismatch') {
      const wait = retryAfterMs(answer.headers?.['retry-after'], this.#clock.now());
      const task: Task = answer.tag === 'ok' ? answer.value : {};
      return { tag: 'answered', status: answer.status, task, ...(wait === undefined ? {} : { retryAfterMs: wait }) };
    }
    if (answer.tag === 'status' && (answer.status === 404 || answer.status === 410)) return { tag: 'gone' };
    const failure = readFailure(what, answer);
    return { tag: answer.tag === 'status' && isVerdict(answer.status) ? 'refused' : 'failed', failure };
  }

  #common(what: string, uri: string, query: string): { what: string; url: string; secrets: readonly string[] } {
    return { what, url: `${this.base}${uri}${query}`, secrets: this.#secrets() };
  }
}
