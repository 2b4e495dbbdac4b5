import type { Api, ApiRequest, ApiResponse } from '@cro/node-sim';

interface Stored {
  metadata: { name: string; resourceVersion: string; uid: string };
}

/** An API server's objects by path, with optimistic locking; `answers` come first, one a request, when they match. */
export class MemoryApi implements Api {
  readonly objects = new Map<string, Stored>();
  readonly requests: ApiRequest[] = [];
  readonly answers: ((request: ApiRequest) => ApiResponse | Error | undefined)[] = [];
  #version = 0;

  async send(request: ApiRequest): Promise<ApiResponse> {
    this.requests.push(request);
    for (const [index, answer] of this.answers.entries()) {
      const given = answer(request);
      if (given === undefined) continue;
      this.answers.splice(index, 1);
      if (given instanceof Error) throw given;
      return given;
    }
    return this.apply(request);
  }

  apply({ method, path, body }: ApiRequest): ApiResponse {
    const sent = body === undefined ? undefined : (JSON.parse(body) as Stored);
    const target = path.replace(/\?.*$/, '').replace(/\/status$/, '');
    const found = this.objects.get(target);
    if (method === 'POST') {
      const name = `${path}/${sent?.metadata.name}`;
      return this.objects.has(name) ? status(409) : this.#store(name, sent, 201);
    }
    if (found === undefined) return status(404);
    switch (method) {
      case 'GET':
        return { status: 200, body: JSON.stringify(found) };
      case 'PUT':
        if (sent?.metadata.resourceVersion !== found.metadata.resourceVersion) return status(409);
        return this.#store(target, sent, 200);
      case 'PATCH':
        return this.#store(target, { ...found, ...sent, metadata: found.metadata }, 200);
      case 'DELETE':
        this.objects.delete(target);
        return status(200);
    }
  }

  /** What is stored under a path; throws when nothing is. */
  read<T>(path: string): T {
    const found = this.objects.get(path);
    if (found === undefined) throw new Error(`nothing is stored under ${path}`);
    return found as T;
  }

  #store(path: string, object: Stored | undefined, code: number): ApiResponse {
    if (object === undefined) return status(400);
    this.#version += 1;
    const uid = this.objects.get(path)?.metadata.uid ?? `uid-${this.#version}`;
    const stored = { ...object, metadata: { ...object.metadata, uid, resourceVersion: String(this.#version) } };
    this.objects.set(path, stored);
    return { status: code, body: JSON.stringify(stored) };
  }
}

export function status(code: number): ApiResponse {
  return { status: code, body: JSON.stringify({ kind: 'Status', code }) };
}
