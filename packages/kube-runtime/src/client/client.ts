import type { Clock } from '@cro/clock';
import { apiVersionOf, type Kind, type KubeObject, type ObjectRef } from '../kind.ts';
import { parseJson } from '../json.ts';
import type { RuntimeMetrics } from '../metrics/runtime-metrics.ts';
import { collectionPath, nameProblem, objectPath, query } from '../path.ts';
import type { Transport, TransportRequest } from '../transport.ts';
import { isSuccess, readOutcome, writeFailure, writeOutcome } from './classify.ts';
import { readServedVersions, readServerVersion, type ResourceName } from './discovery.ts';
import type { ServedOutcome, ServerVersionOutcome } from './discovery.ts';
import { listAll, type ListOptions } from './list.ts';
import type { ApiError, DeleteOutcome, ListOutcome, Patch, ReadOutcome, WriteOutcome } from './outcome.ts';
import { sendWithin, type Sending, type Sent } from './request.ts';
import { writeOfDelete, writeOfUpdate, type OwnWrite } from './writes.ts';

/** What a client needs. */
export interface KubeClientOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** A number in [0, 1): spreads the retries of requests that were turned away together. */
  readonly random: () => number;
  /** Default `cro-kube-runtime`. */
  readonly userAgent?: string;
  /** The deadline of one call, its retries included. Default 30 s. */
  readonly timeoutMs?: number;
  readonly metrics?: RuntimeMetrics;
}

/** How to write. */
export interface WriteOptions {
  readonly subresource?: 'status';
  /** `Strict`: the server refuses fields that it would drop. */
  readonly fieldValidation?: 'Strict';
}

/** Preconditions of a delete. */
export interface DeleteOptions {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
}

/** The body of a create: `apiVersion` and `kind` are filled in. */
export interface NewObject {
  readonly metadata: { readonly name?: string; readonly generateName?: string; readonly namespace?: string };
}

/** An object to replace: with `metadata.resourceVersion` only if nobody changed it in the meantime. */
export interface ReplacedObject {
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

const PATCH_TYPES = { json: 'application/json-patch+json', merge: 'application/merge-patch+json' } as const;

/**
 * A typed client. Expected failures are outcomes; nothing here throws. A write that may have been applied is never
 * repeated. Every acknowledged write is announced, so that caches show it at once.
 */
export class KubeClient {
  readonly #sending: Sending;
  #listeners = new Set<(write: OwnWrite) => void>();

  constructor(options: KubeClientOptions) {
    this.#sending = { userAgent: 'cro-kube-runtime', timeoutMs: 30_000, ...options };
  }

  /** The User-Agent of every request. */
  get userAgent(): string {
    return this.#sending.userAgent;
  }

  /** The same client with another deadline. Its writes are announced to the same listeners. */
  withTimeout(timeoutMs: number): KubeClient {
    const client = new KubeClient({ ...this.#sending, timeoutMs });
    client.#listeners = this.#listeners;
    return client;
  }

  /** Reads one object, live. */
  async get<T extends KubeObject>(kind: Kind<T>, ref: ObjectRef): Promise<ReadOutcome<T>> {
    const problem = nameProblem(kind, ref);
    if (problem !== undefined) return { tag: 'failed', error: badName(problem) };
    return readOutcome(kind, await this.#send({ method: 'GET', path: objectPath(kind, ref) }));
  }

  /** Lists, live and consistent, in pages of at most 500. */
  list<T extends KubeObject>(kind: Kind<T>, options: ListOptions = {}): Promise<ListOutcome<T>> {
    return listAll(kind, options, this.#sending);
  }

  /** Asks in which versions the server serves a resource now. */
  servedVersions(resource: ResourceName): Promise<ServedOutcome> {
    return readServedVersions(this.#sending, resource);
  }

  /** Asks which version of Kubernetes the server is. */
  serverVersion(): Promise<ServerVersionOutcome> {
    return readServerVersion(this.#sending);
  }

  /** Creates an object. */
  async create<T extends KubeObject, O extends NewObject>(kind: Kind<T>, object: O): Promise<WriteOutcome<T>> {
    const { name, namespace } = object.metadata;
    const ref = { name: name ?? 'generated', ...(namespace !== undefined && { namespace }) };
    const path = collectionPath(kind, namespace);
    return this.#write(kind, ref, { method: 'POST', path, ...jsonBody(withType(kind, object)) });
  }

  /** Replaces an object, or its status. */
  async replace<T extends KubeObject, O extends ReplacedObject>(
    kind: Kind<T>,
    object: O,
    options: WriteOptions = {},
  ): Promise<WriteOutcome<T>> {
    const path = writePath(kind, object.metadata, options);
    return this.#write(kind, object.metadata, { method: 'PUT', path, ...jsonBody(withType(kind, object)) });
  }

  /** Patches an object, or its status. */
  async patch<T extends KubeObject>(
    kind: Kind<T>,
    ref: ObjectRef,
    patch: Patch,
    options: WriteOptions = {},
  ): Promise<WriteOutcome<T>> {
    const hasTest = patch.type === 'json' && patch.operations.some((operation) => operation.op === 'test');
    const body = jsonBody(patch.type === 'json' ? patch.operations : patch.value, PATCH_TYPES[patch.type]);
    return this.#write(kind, ref, { method: 'PATCH', path: writePath(kind, ref, options), ...body }, hasTest);
  }

  /** Deletes an object. `done` also when it lives on until its finalizers are removed. */
  async delete<T extends KubeObject>(
    kind: Kind<T>,
    ref: ObjectRef,
    options: DeleteOptions = {},
  ): Promise<DeleteOutcome> {
    const problem = nameProblem(kind, ref);
    if (problem !== undefined) return { tag: 'refused', error: badName(problem) };
    const body = jsonBody(deleteBody(options));
    const sent = await this.#send({ method: 'DELETE', path: objectPath(kind, ref), ...body });
    if (sent.tag === 'noAnswer' || !isSuccess(sent.answer)) return writeFailure(sent);
    const parsed = parseJson(sent.answer.text);
    const write = writeOfDelete(kind, ref, parsed.tag === 'ok' ? parsed.value : undefined, options.uid);
    this.#announce(write);
    return write.tag === 'stored' ? { tag: 'done', object: write.object } : { tag: 'done' };
  }

  /** Announces every acknowledged write to `listener`, before the write's own promise resolves. Returns how to stop. */
  onWrite(listener: (write: OwnWrite) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  async #write<T extends KubeObject>(
    kind: Kind<T>,
    ref: ObjectRef,
    request: TransportRequest,
    hasTest = false,
  ): Promise<WriteOutcome<T>> {
    const problem = nameProblem(kind, ref);
    if (problem !== undefined) return { tag: 'refused', error: badName(problem) };
    const sent = await this.#send(request);
    return writeOutcome(kind, sent, hasTest, (body) => {
      this.#announce(writeOfUpdate(kind, ref, body));
    });
  }

  #send(request: TransportRequest): Promise<Sent> {
    return sendWithin(this.#sending, request);
  }

  #announce(write: OwnWrite): void {
    for (const listener of this.#listeners) listener(write);
  }
}

function writePath(kind: Kind<KubeObject>, ref: ObjectRef, options: WriteOptions): string {
  return objectPath(kind, ref, options.subresource) + query({ fieldValidation: options.fieldValidation });
}

function withType(kind: Kind<KubeObject>, object: object): object {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, ...object };
}

function jsonBody(value: unknown, type = 'application/json'): Pick<TransportRequest, 'headers' | 'body'> {
  return { headers: { 'content-type': type }, body: JSON.stringify(value) };
}

function deleteBody({ uid, resourceVersion, propagationPolicy }: DeleteOptions): object {
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    ...((uid !== undefined || resourceVersion !== undefined) && { preconditions: { uid, resourceVersion } }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
  };
}

function badName(message: string): ApiError {
  return { status: 400, reason: 'BadName', message };
}
