import type { Clock } from '@cro/clock';
import type { Failure } from '@cro/crd-types';
import type { ReadKind } from './read-kind.ts';

/** One HTTP request. `url` is absolute. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /**
   * A PEM file with the CAs to trust for this request, in place of the default ones. It is read again when it changes.
   * An `Http` without TLS ignores it.
   */
  readonly caFile?: string;
}

/** The answer, whatever its status. Header names are lower case. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends one request and nothing else: no retry, no redirect, no deadline of its own. Rejects only when there is no answer:
 * refused, reset, bad certificate, aborted.
 */
export interface Http {
  send(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
}

/** A key of a Secret in the operator's namespace. */
export interface SecretRef {
  readonly name: string;
  readonly key: string;
}

/** Structured log lines. Never pass a secret. */
export interface Log {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** The part of a Kubernetes object that every kind has. */
export interface CachedObject {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: unknown;
  readonly status?: unknown;
}

/** The passed-in world of a provider. */
export interface ProviderHost {
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** A new operation id: unique, at most 64 characters. */
  readonly newId: () => string;
  readonly http: Http;
  readonly log: Log;
  /** A declared kind, from the cache. `undefined`: it does not exist. */
  readonly get: (kind: ReadKind, name: string, namespace?: string) => CachedObject | undefined;
  /** The present value of a Secret's key, from a watch; a failure when the Secret or the key is missing. */
  readonly secret: (
    ref: SecretRef,
  ) => { readonly tag: 'value'; readonly value: string } | { readonly tag: 'failed'; readonly failure: Failure };
}
