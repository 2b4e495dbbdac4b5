import type { Decoded } from '@cro/crd-types';
import type { HttpRequest } from '../contract/host.ts';

/** One call of a JSON API. */
export interface JsonCall<T> {
  /** Name of the call in messages: `FM get`. */
  readonly what: string;
  readonly method: HttpRequest['method'];
  readonly url: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, with its own content type. Wins over `body`. */
  readonly form?: string;
  /** Checks the body of a 2xx answer; `decoderOf(schema)` makes one. */
  readonly decode: (value: unknown) => Decoded<T>;
  /** `true`: an empty body is handed to `decode` as `undefined`. Otherwise it is a mismatch. */
  readonly mayBeEmpty?: boolean;
  /** Further headers, such as `if-match`. Lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers of the answer that matter, such as `etag`. Lower case. */
  readonly wantHeaders?: readonly string[];
  /** Texts that must not appear in a message, the token apart. */
  readonly secrets?: readonly string[];
}

/** A read changes nothing, so it may be repeated. */
export function isRead(call: Pick<JsonCall<unknown>, 'method'>): boolean {
  return call.method === 'GET';
}
