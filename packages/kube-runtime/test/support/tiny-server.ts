import type { InProcessHandle } from '../../src/testing.ts';
import { History, type Stored } from './history.ts';

type Request = Parameters<InProcessHandle>[0];
type Response = Awaited<ReturnType<InProcessHandle>>;

interface Target {
  readonly collection: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly query: URLSearchParams;
}

/**
 * As much of an API server as these tests need: lists in pages, watches with bookmarks on request, 410 for compacted
 * versions, optimistic locking, finalizers. Every collection that is named in `served` is known.
 */
export class TinyServer {
  readonly history = new History();
  readonly requests: Request[] = [];
  readonly served: Set<string>;
  /** Answers in place of the server, when it returns something. */
  intercept: (request: Request) => Response | Promise<Response | undefined> | undefined = () => undefined;

  constructor(served: readonly string[] = ['widgets', 'leases', 'events']) {
    this.served = new Set(served);
  }

  readonly handle: InProcessHandle = async (request, signal) => {
    this.requests.push(request);
    const intercepted = await this.intercept(request);
    if (intercepted !== undefined) return intercepted;
    const target = targetOf(request.path);
    if (target === undefined || !this.served.has(target.collection)) return status(404, 'NotFound', 'no such path');
    switch (request.method) {
      case 'GET':
        return target.name === undefined ? this.#collection(target, signal) : this.#get(target);
      case 'POST':
        return this.#create(target, bodyOf(request));
      case 'PUT':
        return this.#update(target, bodyOf(request));
      case 'PATCH':
        return this.#patch(target, request);
      case 'DELETE':
        return this.#delete(target, bodyOf(request));
    }
  };

  #collection(target: Target, signal: AbortSignal): Response {
    const { query, collection } = target;
    if (query.get('watch') === '1') {
      const from = Number(query.get('resourceVersion'));
      if (from < this.history.oldest) return { status: 200, headers: {}, body: `${expiredEvent()}\n` };
      return { status: 200, headers: {}, body: this.history.follow(collection, from, signal) };
    }
    const page = this.history.page(collection, Number(query.get('limit') ?? 500), query.get('continue'));
    if (page === undefined) return status(410, 'Expired', 'the continue token is too old');
    return json(200, page);
  }

  #get(target: Target): Response {
    const object = this.#find(target);
    return object === undefined ? status(404, 'NotFound', 'not found') : json(200, object);
  }

  #create(target: Target, body: Stored): Response {
    const name = String(body.metadata.name);
    if (this.history.get(target.collection, target.namespace, name) !== undefined) {
      return status(409, 'AlreadyExists', `${name} already exists`);
    }
    return json(201, this.history.create(target.collection, target.namespace, body));
  }

  #update(target: Target, body: Stored): Response {
    const present = this.#find(target);
    if (present === undefined) return status(404, 'NotFound', 'not found');
    const expected = body.metadata.resourceVersion;
    if (expected !== undefined && expected !== present.metadata.resourceVersion) {
      return status(409, 'Conflict', 'the object has been modified');
    }
    return json(
      200,
      this.history.update(target.collection, { ...body, metadata: { ...present.metadata, ...body.metadata } }),
    );
  }

  #patch(target: Target, request: Request): Response {
    const present = this.#find(target);
    if (present === undefined) return status(404, 'NotFound', 'not found');
    const merged = merge(present, JSON.parse(request.body ?? '{}'));
    return json(200, this.history.update(target.collection, merged as Stored));
  }

  #delete(target: Target, options: unknown): Response {
    const present = this.#find(target);
    if (present === undefined) return status(404, 'NotFound', 'not found');
    const uid = (options as { preconditions?: { uid?: string } } | undefined)?.preconditions?.uid;
    if (uid !== undefined && uid !== present.metadata.uid) return status(409, 'Conflict', 'the uid differs');
    const left = this.history.delete(target.collection, present);
    if (left !== undefined) return json(200, left);
    return json(200, {
      kind: 'Status',
      status: 'Success',
      details: { name: present.metadata.name, uid: present.metadata.uid },
    });
  }

  #find(target: Target): Stored | undefined {
    return this.history.get(target.collection, target.namespace, target.name ?? '');
  }
}

function targetOf(path: string): Target | undefined {
  const url = new URL(path, 'http://tiny');
  const parts = url.pathname.split('/').filter((part) => part !== '');
  const rest = parts[0] === 'api' ? parts.slice(2) : parts.slice(3);
  const namespaced = rest[0] === 'namespaces' && rest.length > 2;
  const [collection, name] = namespaced ? rest.slice(2) : rest;
  if (collection === undefined) return undefined;
  return { collection, name, namespace: namespaced ? rest[1] : undefined, query: url.searchParams };
}

function bodyOf(request: Request): Stored {
  return JSON.parse(request.body ?? '{}') as Stored;
}

function merge(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result = new Map(Object.entries(isRecord(target) ? target : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key);
    else result.set(key, merge(result.get(key), value));
  }
  return Object.fromEntries(result);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function json(code: number, body: unknown, headers: Record<string, string> = {}): Response {
  return { status: code, headers, body: JSON.stringify(body) };
}

export function status(code: number, reason: string, message: string, headers: Record<string, string> = {}): Response {
  return json(code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, message, code }, headers);
}

function expiredEvent(): string {
  return JSON.stringify({
    type: 'ERROR',
    object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' },
  });
}
